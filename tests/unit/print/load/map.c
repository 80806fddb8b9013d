/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/map.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct problems problems;
static struct map map;

static int
parse(const char *lines)
{
    char text[4000];

    map_free(&map);
    problems_free(&problems);
    snprintf(text, sizeof(text), "<?xml version=\"1.0\"?>\n<map version=\"1\">\n%s",
             lines);
    return map_parse(&map, text, strlen(text), "x/map.xml", &problems);
}

#define OBJECT(id, lo, hi)                                                          \
    "<object id=\"" id "\" kind=\"file\" time=\"10\" lo=\"" lo "\" hi=\"" hi "\"/>\n"

Test(map, all_attributes)
{
    cr_assert_eq(parse("<object id=\"7\" kind=\"vdso\" time=\"3\" bias=\"0x10\""
                       " lo=\"0x20\" hi=\"0x30\" name=\"[vdso]\" buildid=\"ab\""
                       " dev=\"fe:0\" inode=\"5\" fsize=\"6\" mtime=\"8\""
                       " flags=\"main,collector\"/>\n</map>\n"), 0);
    cr_assert_eq(map.count, 1);
    cr_assert(map.closed);
    cr_assert_eq(map.instance[0].kind, MAP_VDSO);
    cr_assert_eq(map.instance[0].bias, 0x10);
    cr_assert_str_eq(map.instance[0].file.buildid, "ab");
    cr_assert_str_eq(map.instance[0].file.mtime, "8");
    cr_assert(map.instance[0].main && map.instance[0].collector);
    cr_assert_eq(problems.count, 0);
}

Test(map, loads_and_unloads_are_intervals)
{
    const struct map_instance *i;

    cr_assert_eq(parse(OBJECT("2", "0x100", "0x200") OBJECT("1", "0x300", "0x400")
                       "<unload id=\"2\" time=\"20\"/>\n"
                       "<load id=\"2\" time=\"30\"/>\n"), 0);
    i = map_find(&map, 2);
    cr_assert_eq(i->nintervals, 2);
    cr_assert_eq(i->interval[0].to, 20);
    cr_assert_eq(i->interval[1].from, 30);
    cr_assert_eq(i->interval[1].to, UINT64_MAX);
    cr_assert_eq(map.instance[0].id, 1);
    cr_assert_null(map_find(&map, 3));
}

Test(map, pc_of_two_objects_needs_a_moment)
{
    cr_assert_eq(parse(OBJECT("1", "0x100", "0x200") "<unload id=\"1\" time=\"20\"/>\n"
                       "<object id=\"2\" kind=\"anon\" time=\"25\" lo=\"0x180\""
                       " hi=\"0x280\"/>\n"), 0);
    cr_assert_eq(map_find_pc(&map, 0x110, 0)->id, 1);
    cr_assert_null(map_find_pc(&map, 0x190, 0));
    cr_assert_eq(map_find_pc(&map, 0x190, 15)->id, 1);
    cr_assert_null(map_find_pc(&map, 0x190, 22));
    cr_assert_eq(map_find_pc(&map, 0x190, 25)->id, 2);
    cr_assert_eq(map_find_pc(&map, 0x200, 0)->id, 2);
    cr_assert_null(map_find_pc(&map, 0x280, 0));
}

Test(map, early_numbers_stand_for_instances)
{
    parse(OBJECT("4", "0x1000", "0x2000") OBJECT("5", "0x1000", "0x2000")
          "<early id=\"5\" nodes=\"2147483650\"/>\n"
          "<early id=\"4\" nodes=\"2147483648\"/>\n"
          "<early id=\"9\" nodes=\"2147483649\"/>\n");
    cr_assert_eq(problems.count, 1, "there is no instance 9");
    cr_assert_eq(map_find(&map, 0x80000002u)->id, 5);
    cr_assert_eq(map_find(&map, 0x80000000u)->id, 4);
    cr_assert_null(map_find(&map, 0x80000001u));
}

/* The process and the launcher may both have met it. */
Test(map, pc_of_one_object_twice_needs_none)
{
#define SAME(id, bias)                                                          \
    "<object id=\"" id "\" kind=\"file\" time=\"10\" bias=\"" bias               \
    "\" lo=\"0x1000\" hi=\"0x2000\" name=\"/lib/x.so\" buildid=\"ab\" "             \
    "mtime=\"1\" fsize=\"2\"/>\n"
    parse(SAME("6", "0x1000") SAME("1073741824", "0x1000"));
    cr_assert_not_null(map_find_pc(&map, 0x1800, 0));
    parse(SAME("6", "0x1000") SAME("7", "0x0"));
    cr_assert_null(map_find_pc(&map, 0x1800, 0));
}

Test(map, lines_that_make_no_sense_are_told)
{
    const char *bad[] = {
        OBJECT("0", "1", "2"),
        OBJECT("1", "5", "5"),
        OBJECT("9", "1", "2") OBJECT("9", "1", "2"),
        OBJECT("4294967296", "1", "2"),
        "<object id=\"1\" kind=\"moon\" lo=\"1\" hi=\"2\"/>\n",
        "<unload id=\"3\" time=\"4\"/>\n",
        "<load id=\"3\" time=\"4\"/>\n",
        OBJECT("3", "1", "2") "<load id=\"3\" time=\"11\"/>\n",
        OBJECT("3", "1", "2") "<unload id=\"3\" time=\"9\"/>\n",
    };

    for (u32 i = 0; i < ER_COUNT(bad); i++) {
        cr_assert_eq(parse(bad[i]), 0, "case %u", i);
        cr_assert_eq(problems.count, 1, "case %u", i);
        cr_assert(strstr(problems.text[0], "makes no sense"), "case %u", i);
    }
}
