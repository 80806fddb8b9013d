/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/regions.h"

#include <criterion/criterion.h>
#include <string.h>

static struct rec_region region;

static int
line(const char *text)
{
    static char copy[400];

    strcpy(copy, text);
    return regions_line(copy, &region);
}

Test(regions, lines_of_maps)
{
    cr_assert(line("7f00a000-7f00c000 rw-p 00002000 fe:01 1234   /tmp/a b\n"));
    cr_assert_eq(region.addr, 0x7f00a000);
    cr_assert_eq(region.size, 0x2000);
    cr_assert_str_eq(region.name.s, "/tmp/a b");
    cr_assert(line("7f00a000-7f00c000 rw-p 00000000 00:00 0 \n"));
    cr_assert_str_eq(region.name.s, "");
    cr_assert(line("7ffd0000-7ffd1000 rw-p 00000000 00:00 0    [stack]\n"));
    cr_assert_str_eq(region.name.s, "[stack]");
}

Test(regions, what_is_no_line)
{
    cr_assert(!line("Size: 4 kB\n"));
    cr_assert(!line(""));
    cr_assert(!line("9000-8000 rw-p 00000000 00:00 0 \n"));
}

Test(regions, only_for_addresses)
{
    static struct recording s;
    char error[COUNTER_ERROR];

    cr_assert(!regions_wanted(&s));
    cr_assert_eq(counter_add(&s.counters, "page-faults", error), 0);
    cr_assert(!regions_wanted(&s));
    cr_assert_eq(counter_add(&s.counters, "+minor-faults", error), 0);
    cr_assert(regions_wanted(&s));
}
