/* SPDX-License-Identifier: Apache-2.0 */
/* Members are put away by another thread, and all of them by the end. */
#include "collector/launch/retire.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MEMBERS = 20,
};

static char scratch[64];
static struct request request;
static struct recording founder;

static void
start(void)
{
    strcpy(scratch, "/tmp/ertools-retire.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    founder.request = &request;
    founder.experiment.dir = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert_geq(founder.experiment.dir, 0);
}

static void
stop(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(retire, .init = start, .fini = stop);

static void
make_and_retire(int number)
{
    const struct ctl_request asked = { .how = HOW_SPAWN };
    struct member *m;
    char name[32];

    snprintf(name, sizeof(name), "_f%d_x1.er", number);
    cr_assert_eq(member_make(&m, &founder, &founder, name, getpid(), &asked, -1), 0);
    member_finish(m, "by itself", NULL, NULL);
    retire(m);
}

/* What member_close() does last. */
static int
is_put_away(int number)
{
    char name[64];

    snprintf(name, sizeof(name), "_f%d_x1.er/.control", number);
    return faccessat(founder.experiment.dir, name, F_OK, 0) < 0;
}

Test(retire, all_are_put_away_by_the_end)
{
    for (int i = 0; i < MEMBERS; i++)
        make_and_retire(i);
    retire_wait();
    for (int i = 0; i < MEMBERS; i++)
        cr_assert(is_put_away(i), "%d", i);
}

Test(retire, nothing_to_wait_for)
{
    retire_wait();
    retire_wait();
}

Test(retire, it_begins_again)
{
    make_and_retire(1);
    retire_wait();
    make_and_retire(2);
    retire_wait();
    cr_assert(is_put_away(1));
    cr_assert(is_put_away(2));
}
