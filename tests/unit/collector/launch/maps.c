/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/maps.h"

#include <criterion/criterion.h>

Test(maps, objects_come_and_go)
{
    struct maps m = { 0 };

    cr_assert_eq(maps_line(&m, "<map version=\"1\">"), 0);
    cr_assert_eq(maps_line(&m,
                           "<object id=\"1\" kind=\"file\" time=\"5\" bias=\"0x1000\" "
                           "lo=\"0x2000\" hi=\"0x3123\" name=\"/a lo=&quot;0x9\"/>"),
                 0);
    cr_assert_eq(m.count, 1);
    cr_assert(maps_has(&m, 0x2000, 0x4000), "the mapping ends at the page's end");
    cr_assert_not(maps_has(&m, 0x2000, 0x5000));
    cr_assert_not(maps_has(&m, 0x1000, 0x3000));
    cr_assert_eq(maps_line(&m, "<unload id=\"1\" time=\"6\"/>"), 0);
    cr_assert_not(maps_has(&m, 0x2000, 0x3000));
    cr_assert_eq(maps_line(&m, "<load id=\"1\" time=\"7\"/>"), 0);
    cr_assert(maps_has(&m, 0x2000, 0x3000));
    maps_free(&m);
}

Test(maps, many_objects)
{
    struct maps m = { 0 };
    char line[128];

    for (int i = 1; i <= 1000; i++) {
        snprintf(line, sizeof(line),
                 "<object id=\"%d\" lo=\"0x%x000\" hi=\"0x%x000\"/>", i, 2 * i,
                 2 * i + 1);
        cr_assert_eq(maps_line(&m, line), 0);
    }
    cr_assert(maps_has(&m, 2000 * 0x1000, 2001 * 0x1000));
    cr_assert_not(maps_has(&m, 2001 * 0x1000, 2002 * 0x1000));
    maps_free(&m);
}

Test(maps, code_made_at_run_time_in_few_ranges)
{
    struct maps_code c = { .count = 0 };
    u64 page = 0x1000;

    maps_code_add(&c, 2 * page, 4 * page);
    maps_code_add(&c, 4 * page, 5 * page);
    cr_assert_eq(c.count, 1, "they touch");
    for (u64 i = 1; i < ER_CODE_RANGES; i++)
        maps_code_add(&c, i * 0x100000, i * 0x100000 + page);
    cr_assert_eq(c.count, ER_CODE_RANGES);
    maps_code_add(&c, 0x7f0000000000, 0x7f0000004000);
    maps_code_add(&c, 0x7f0000006000, 0x7f0000007000);
    cr_assert_eq(c.count, ER_CODE_RANGES);
    cr_assert_eq(c.hi[ER_CODE_RANGES - 1], 0x7f0000007000, "these are nearest");
    cr_assert_eq(c.lo[ER_CODE_RANGES - 1], 0x7f0000000000);
    for (u64 i = 1; i < ER_CODE_RANGES; i++) {
        u32 found = 0;

        for (u32 k = 0; k < c.count; k++)
            found += ctl_code_has(ctl_code_word(c.lo[k], c.hi[k]), i * 0x100000 + 5);
        cr_assert_eq(found, 1, "none is lost");
    }
}

Test(maps, a_range_in_a_word)
{
    u64 word = ctl_code_word(0x7f1234567000, 0x7f1234569000);

    cr_assert(ctl_code_has(word, 0x7f1234567000));
    cr_assert(ctl_code_has(word, 0x7f1234568fff));
    cr_assert_not(ctl_code_has(word, 0x7f1234569000));
    cr_assert_not(ctl_code_has(word, 0x7f1234566fff));
    cr_assert_not(ctl_code_has(0, 0));
    cr_assert(ctl_code_has(ctl_code_word(0x1000, 1ull << 47), 1ull << 39));
}
