/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/bins.h"

#include <criterion/criterion.h>

Test(bins, sums_by_key_and_merges)
{
    struct bins a = { 0 }, b = { 0 };
    struct bin_key key = { .object = 1 };

    for (u32 i = 0; i < 100000; i++) {
        key.node = i % 3000;
        key.thread = i % 2;
        bins_add(i % 3 ? &a : &b, &key, 2, i, 1000 + i);
    }
    bins_merge(&a, &b);
    cr_assert_eq(a.count, 3000);
    key.node = 7;
    key.thread = 1;
    cr_assert_eq(bins_of(&a, &key)->count, 34);
    cr_assert_eq(bins_of(&a, &key)->bytes, 68);
    cr_assert_eq(bins_of(&a, &key)->first, 1007);
    cr_assert_eq(bins_of(&a, &key)->most, 99007);
    cr_assert_eq(a.count, 3000);
    bins_sort(&a);
    for (u32 i = 0; i < a.count; i++)
        cr_assert_eq(a.bin[i].key.node, i);
    bins_free(&a);
    bins_free(&b);
}

Test(bins, a_limit_folds_what_is_new)
{
    struct bins a = { .limit = 10 };
    u64 count = 0;

    for (u32 turn = 0; turn < 2; turn++)
        for (u32 i = 0; i < 100; i++)
            bins_add(&a, &(struct bin_key){ .object = i % 3, .node = i }, 1, i, i);
    cr_assert_eq(a.count, 13);
    bins_sort(&a);
    for (u32 i = 0; i < a.count; i++) {
        count += a.bin[i].count;
        cr_assert(a.bin[i].key.node < 10 ? a.bin[i].count == 2
                                         : a.bin[i].key.node == BINS_REST);
    }
    cr_assert_eq(count, 200);
    bins_free(&a);
}

Test(bins, sort_goes_by_object_then_what)
{
    struct bins a = { 0 };

    for (u32 i = 0; i < 6; i++)
        bins_add(&a, &(struct bin_key){ .object = i % 2, .what = 5 - i }, 0, 0, 0);
    bins_sort(&a);
    for (u32 i = 1; i < a.count; i++)
        cr_assert(a.bin[i - 1].key.object < a.bin[i].key.object ||
                  a.bin[i - 1].key.what < a.bin[i].key.what);
    bins_free(&a);
}
