/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/leaks/graph.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { APART = 0x1000 };

static struct graph g;

/* Blocks 0, 1, ... of 100 bytes, each in a page of its own; given in another order. */
static void
make(u32 count)
{
    struct graph_block *block = calloc(count + 1, sizeof(*block));

    for (u32 i = 0; i < count; i++)
        block[count - 1 - i] =
            (struct graph_block){ .addr = 0x10000 + i * APART, .size = 100 };
    cr_assert_eq(graph_start(&g, block, count), 0);
}

static void
done(void)
{
    graph_free(&g);
}

TestSuite(graph, .fini = done);

static void
expect(u32 block, enum er_left_class class)
{
    cr_expect_eq(g.block[block].class, class, "block %u: %u", block,
                 g.block[block].class);
}

static void
classify(void)
{
    cr_assert_eq(graph_classify(&g), 0);
}

Test(graph, finds_the_block_that_has_a_byte)
{
    make(3);
    cr_expect_eq(graph_find(&g, 0x10000), 0);
    cr_expect_eq(graph_find(&g, 0x10000 + 99), 0);
    cr_expect_eq(graph_find(&g, 0x10000 + 100), (u32)GRAPH_NONE);
    cr_expect_eq(graph_find(&g, 0x10000 + 2 * APART + 50), 2);
    cr_expect_eq(graph_find(&g, 0x10000 + 3 * APART), (u32)GRAPH_NONE);
    cr_expect_eq(graph_find(&g, 0), (u32)GRAPH_NONE);
}

Test(graph, finds_blocks_that_share_pages_or_have_many)
{
    struct graph_block *block = calloc(300, sizeof(*block));

    for (u32 i = 0; i < 299; i++)
        block[i] = (struct graph_block){ .addr = 0x20000 + i * 32, .size = i % 33 };
    block[299] = (struct graph_block){ .addr = 0x100000, .size = 1 << 20 };
    cr_assert_eq(graph_start(&g, block, 300), 0);
    for (u32 i = 0; i < 299; i++) {
        cr_expect_eq(graph_find(&g, 0x20000 + i * 32), i);
        if (i % 33 < 32)
            cr_expect_eq(graph_find(&g, 0x20000 + i * 32 + 31), (u32)GRAPH_NONE);
    }
    for (u32 at = 0; at < 1 << 20; at += 4095)
        cr_expect_eq(graph_find(&g, 0x100000 + at), 299);
    cr_expect_not_null(graph_page(&g, 0x100000 + 12345));
    cr_expect_null(graph_page(&g, 0x300000));
    cr_assert_eq(graph_add_heap(&g, 0x300000, 10), 0);
    cr_expect_not_null(graph_page(&g, 0x300fff));
    cr_expect_eq(graph_find(&g, 0x300000), (u32)GRAPH_NONE);
}

Test(graph, follows_pointers_to_beginnings)
{
    make(4);
    graph_add_root(&g, 2, 0);
    graph_add_edge(&g, 1, 3, 0);
    graph_add_edge(&g, 2, 0, 0);
    classify();
    expect(0, LEFT_REACHABLE);
    expect(1, LEFT_LOST);
    expect(2, LEFT_REACHABLE);
    expect(3, LEFT_INDIRECT);
    cr_expect_eq(g.block[3].head, 1);
}

Test(graph, is_not_sure_of_pointers_into_blocks)
{
    make(5);
    graph_add_root(&g, 0, 1);
    graph_add_root(&g, 3, 0);
    graph_add_edge(&g, 0, 1, 0);
    graph_add_edge(&g, 1, 3, 1);
    graph_add_edge(&g, 3, 2, 1);
    graph_add_edge(&g, 4, 3, 0);
    classify();
    expect(0, LEFT_POSSIBLY);
    expect(1, LEFT_POSSIBLY);
    expect(2, LEFT_POSSIBLY);
    expect(3, LEFT_REACHABLE);
    expect(4, LEFT_LOST);
}

Test(graph, both_kinds_of_pointer_are_as_good_as_the_better)
{
    make(2);
    graph_add_root(&g, 1, 1);
    graph_add_root(&g, 1, 0);
    graph_add_edge(&g, 1, 0, 1);
    graph_add_edge(&g, 1, 0, 0);
    classify();
    expect(0, LEFT_REACHABLE);
    expect(1, LEFT_REACHABLE);
}

Test(graph, one_block_of_a_cycle_is_lost_and_the_others_with_it)
{
    make(3);
    graph_add_edge(&g, 0, 1, 0);
    graph_add_edge(&g, 1, 2, 1);
    graph_add_edge(&g, 2, 0, 0);
    classify();
    expect(0, LEFT_LOST);
    expect(1, LEFT_INDIRECT);
    expect(2, LEFT_INDIRECT);
    cr_expect_eq(g.block[2].head, 0);
}

Test(graph, what_seemed_lost_hangs_on_who_leads_to_it)
{
    /* A list whose first block comes last. */
    make(6);
    for (u32 i = 1; i < 6; i++)
        graph_add_edge(&g, i, i - 1, 0);
    classify();
    expect(5, LEFT_LOST);
    for (u32 i = 0; i < 5; i++) {
        expect(i, LEFT_INDIRECT);
        cr_expect_eq(g.block[i].head, 5, "block %u", i);
    }
}

Test(graph, a_block_may_be_empty_or_cut_by_another)
{
    struct graph_block *block = calloc(2, sizeof(*block));

    block[0] = (struct graph_block){ .addr = 0x1000, .size = 64 };
    block[1] = (struct graph_block){ .addr = 0x1020, .size = 0 };
    cr_assert_eq(graph_start(&g, block, 2), 0);
    cr_expect_eq(graph_find(&g, 0x101f), 0);
    cr_expect_eq(graph_find(&g, 0x1020), 1);
    cr_expect_eq(graph_find(&g, 0x1021), (u32)GRAPH_NONE);
}

Test(graph, nothing_is_no_harm)
{
    make(0);
    cr_expect_eq(graph_find(&g, 0x10000), (u32)GRAPH_NONE);
    cr_expect_not(graph_may_have(&g, 0x10000));
    classify();
}
