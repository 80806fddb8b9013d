/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/object/objwrite.h"

#include <criterion/criterion.h>
#include <stdio.h>

Test(objwrite, keeps_each_thing_once)
{
    struct objwrite w;
    struct obj_func f = {0};
    char name[32];
    u32 first;

    objwrite_init(&w);
    cr_assert_eq(objwrite_string(&w, ""), 0);
    first = objwrite_string(&w, "name0");
    cr_assert_eq(objwrite_file(&w, ""), 0);
    for (u32 round = 0; round < 2; round++) {
        for (u32 i = 0; i < 5000; i++) {
            snprintf(name, sizeof(name), "name%u", i);
            f.name = objwrite_string(&w, name);
            cr_assert_eq(objwrite_func(&w, &f), i + 1);
            cr_assert_eq(objwrite_file(&w, name), i + 1);
        }
    }
    cr_assert_eq(objwrite_string(&w, "name0"), first);
    cr_assert_eq(w.table[OBJ_func].count, 5001);
    cr_assert_eq(w.table[OBJ_file].count, 5001);
    objwrite_free(&w);
}

Test(objwrite, addresses_are_relative)
{
    struct objwrite w;
    u32 addr;

    objwrite_init(&w);
    w.base = 0xffffffff81000000;
    cr_assert(objwrite_address(&w, 0xffffffff81000010, &addr));
    cr_assert_eq(addr, 0x10);
    cr_assert_not(objwrite_address(&w, 0x10, &addr));
    w.base = 0x1000;
    cr_assert_not(objwrite_address(&w, 0x200001000, &addr));
    objwrite_code(&w, 0x200001000, 8, ".far", (struct bytes){0});
    cr_assert_eq(w.table[OBJ_code].count, 0);
    cr_assert_eq(w.table[OBJ_note].count, 1);
    objwrite_free(&w);
}

Test(objwrite, tells_of_a_full_disk)
{
    struct objwrite w;
    FILE *full = fopen("/dev/full", "w");

    cr_assert_not_null(full);
    objwrite_init(&w);
    cr_assert_lt(objwrite_save(&w, fileno(full)), 0);
    objwrite_free(&w);
    fclose(full);
}
