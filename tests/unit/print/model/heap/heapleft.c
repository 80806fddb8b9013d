/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapleft.h"

#include <criterion/criterion.h>

Test(heapleft, is_found_by_address_and_time)
{
    struct heapleft left = { 0 };

    cr_assert_eq(heapleft_find(&left, 16, 1), 0, "empty: all is freed");
    heapleft_sort(&left);
    cr_assert_eq(heapleft_add(&left, 0x2000, 20, 5), 0);
    cr_assert_eq(heapleft_add(&left, 0x1000, 30, 7), 0);
    cr_assert_eq(heapleft_add(&left, 0x1000, 10, 3), 0);
    heapleft_sort(&left);
    cr_assert_eq(heapleft_find(&left, 0x1000, 10), 3);
    cr_assert_eq(heapleft_find(&left, 0x1000, 30), 7);
    cr_assert_eq(heapleft_find(&left, 0x1000, 20), 0, "of another block there");
    cr_assert_eq(heapleft_find(&left, 0x2000, 20), 5);
    cr_assert_eq(heapleft_find(&left, 0x1800, 20), 0);
    cr_assert_eq(heapleft_find(&left, UINT64_MAX, 20), 0);
    heapleft_free(&left);
    cr_assert_eq(left.count, 0);
}

Test(heapleft, pieces_of_a_mapping_are_added_up)
{
    struct heapleft left = { 0 };

    for (u64 i = 1; i <= 100; i++) {
        cr_assert_eq(heapleft_add(&left, 4096, 5, i), 0);
        cr_assert_eq(heapleft_add(&left, i * 65536, 5, i), 0);
    }
    heapleft_sort(&left);
    cr_assert_eq(heapleft_find(&left, 4096, 5), 5050);
    cr_assert_eq(heapleft_find(&left, 100 * 65536, 5), 100);
    heapleft_free(&left);
}

Test(heapleft, takes_those_that_live)
{
    struct heapleft left = { 0 };
    struct blocks blocks = { 0 };

    for (u32 i = 1; i <= 1000; i++) {
        struct block_info info = { .size = i, .time = 7 * i, .owner = i };

        cr_assert_eq(blocks_add(&blocks, (u64)i * 16, &info), 0);
    }
    for (u32 i = 2; i <= 1000; i += 2)
        blocks_remove(&blocks, blocks_find(&blocks, (u64)i * 16));
    cr_assert_eq(heapleft_add_blocks(&left, &blocks), 0);
    heapleft_sort(&left);
    cr_assert_eq(left.count, 500);
    for (u32 i = 1; i <= 1000; i++)
        cr_assert_eq(heapleft_find(&left, (u64)i * 16, 7 * i), i % 2 ? i : 0);
    blocks_free(&blocks);
    heapleft_free(&left);
}

/* Times have 48 bits in the table of blocks; what is beyond is the largest. */
Test(heapleft, late_blocks_are_found)
{
    struct block_info info = { .size = 9, .time = UINT64_MAX, .owner = 1 };
    struct heapleft left = { 0 };
    struct blocks blocks = { 0 };

    cr_assert_eq(blocks_add(&blocks, 64, &info), 0);
    cr_assert_eq(heapleft_add_blocks(&left, &blocks), 0);
    heapleft_sort(&left);
    cr_assert_eq(heapleft_find(&left, 64, UINT64_MAX), 9);
    blocks_free(&blocks);
    heapleft_free(&left);
}
