/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/blocks.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum {
    ADDRESSES = 5000,
    STEPS = 200000,
};

static u32 seed = 12345;

static u32
below(u32 n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

Test(blocks, as_a_plain_array)
{
    static struct block_info truth[ADDRESSES];
    static bool live[ADDRESSES];
    struct blocks blocks = { 0 };
    u64 count = 0;

    for (u32 i = 0; i < STEPS; i++) {
        u32 n = below(below(2) ? ADDRESSES : 50);
        u64 addr = 0x7f0000000000 + 16 * (u64)n;
        struct block *block = blocks_find(&blocks, addr);

        cr_assert_eq(block != NULL, live[n]);
        if (block) {
            struct block_info info = blocks_info(block);

            cr_assert_eq(info.size, truth[n].size);
            cr_assert_eq(info.time, truth[n].time);
            cr_assert_eq(info.owner, truth[n].owner);
            blocks_remove(&blocks, block);
            count--;
        } else {
            truth[n] = (struct block_info){ (u64)below(1000) << below(38),
                                            (u64)i << below(30), below(1 << 20) };
            cr_assert_eq(blocks_add(&blocks, addr, &truth[n]), 0);
            count++;
        }
        live[n] = !live[n];
        cr_assert_eq(blocks.count, count);
    }
    blocks_free(&blocks);
}

Test(blocks, what_is_too_large_stands_as_the_largest)
{
    struct block_info info = { UINT64_MAX, UINT64_MAX, 7 };
    struct blocks blocks = { 0 };
    u64 most = ((u64)1 << BLOCKS_BITS) - 1;

    cr_assert_null(blocks_find(&blocks, 0));
    cr_assert_eq(blocks_add(&blocks, UINT64_MAX, &info), 0);
    info = blocks_info(blocks_find(&blocks, UINT64_MAX));
    cr_assert_eq(info.size, most);
    cr_assert_eq(info.time, most);
    cr_assert_eq(info.owner, 7);
    blocks_free(&blocks);
}
