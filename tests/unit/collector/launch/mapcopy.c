/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/mapcopy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static u32 known; /* by the child: mapcopy()'s `most` */

/* What a child gets of that map; to be freed. */
static char *
copied(const char *map)
{
    int from = memfd_create("from", 0), to = memfd_create("to", 0);
    size_t len = strlen(map);
    char *text = calloc(1, len + 1);

    cr_assert_eq(write(from, map, len), (ssize_t)len);
    cr_assert_eq(mapcopy(to, from, known), 0);
    cr_assert(pread(to, text, len, 0) >= 0);
    close(from);
    close(to);
    return text;
}

static void
check(const char *map, const char *want)
{
    char *got = copied(map);

    cr_expect_str_eq(got, want);
    free(got);
}

#define HEAD "<map version=\"1\">\n"
#define ONE "<object id=\"1\" name=\"a\"/>\n"
#define TWO "<object id=\"2\" name=\"b\"/>\n"
#define LOAD(id, time) "<load id=\"" #id "\" time=\"" #time "\"/>\n"
#define UNLOAD(id, time) "<unload id=\"" #id "\" time=\"" #time "\"/>\n"

Test(mapcopy, what_has_no_past_stays)
{
    check("", "");
    check(HEAD ONE TWO, HEAD ONE TWO);
    check(HEAD ONE TWO UNLOAD(2, 5), HEAD ONE TWO UNLOAD(2, 5));
    check(HEAD ONE TWO UNLOAD(2, 5) LOAD(2, 6), HEAD ONE TWO UNLOAD(2, 5) LOAD(2, 6));
}

Test(mapcopy, of_the_past_the_last_stays)
{
    check(HEAD ONE UNLOAD(1, 1) LOAD(1, 2) TWO UNLOAD(1, 3) LOAD(1, 4),
          HEAD ONE TWO UNLOAD(1, 3) LOAD(1, 4));
    check(HEAD ONE UNLOAD(1, 1) LOAD(1, 2) TWO UNLOAD(2, 3) UNLOAD(1, 4),
          HEAD ONE TWO UNLOAD(2, 3) UNLOAD(1, 4));
}

Test(mapcopy, no_tail_and_no_torn_line)
{
    check(HEAD ONE "</map>\n", HEAD ONE);
    check(HEAD ONE "<load id=\"1\" ti", HEAD ONE);
    check("<map", "");
}

Test(mapcopy, numbers_that_cannot_be)
{
    check(HEAD LOAD(99999999999, 1) LOAD(99999999999, 2) LOAD(x, 3),
          HEAD LOAD(99999999999, 1) LOAD(99999999999, 2) LOAD(x, 3));
}

/* The parent went on while its child asked: the child gives those ids to others. */
Test(mapcopy, what_came_after_the_fork)
{
    known = 1;
    check(HEAD ONE TWO, HEAD ONE);
    check(HEAD ONE TWO UNLOAD(2, 5) UNLOAD(1, 6) LOAD(2, 7), HEAD ONE UNLOAD(1, 6));
    known = 2;
    check(HEAD ONE TWO UNLOAD(2, 5), HEAD ONE TWO UNLOAD(2, 5));
}

/* Who loads and unloads without end has no children with long maps. */
Test(mapcopy, a_long_past_makes_no_long_map)
{
    char *map = malloc(4000000), *at = stpcpy(map, HEAD ONE TWO), *got;

    for (int i = 0; i < 30000; i++)
        at += sprintf(at, UNLOAD(2, %d) LOAD(2, %d), 2 * i, 2 * i + 1);
    got = copied(map);
    cr_expect_str_eq(got, HEAD ONE TWO UNLOAD(2, 59998) LOAD(2, 59999));
    free(got);
    free(map);
}
