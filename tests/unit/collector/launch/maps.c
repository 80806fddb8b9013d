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
