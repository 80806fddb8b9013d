/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/calltree.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/gen/stage.h"

static const struct order by_incl = { ORDER_METRIC, METRIC_totalcpu, FLAVOUR_INCLUSIVE,
                                      false };

TestSuite(calltree, .init = stage_up, .fini = stage_down);

/* The path of a node, root first. */
static void
path_of(const struct calltree *tree, u32 node, char *out)
{
    out[0] = 0;
    if (!node)
        return;
    path_of(tree, tree->node[node].parent, out);
    sprintf(out + strlen(out), "%s%s", *out ? ";" : "",
            function_name(stage, tree->node[node].func));
}

static int64_t
excl_of(const struct calltree *tree, const char *wanted)
{
    char path[500];

    for (u32 i = 0; i < tree->count; i++) {
        path_of(tree, i, path);
        if (!strcmp(path, wanted))
            return calltree_excl(tree, i).v[METRIC_totalcpu];
    }
    return -1;
}

Test(calltree, stacks_folded_by_function)
{
    struct calltree tree;

    cr_assert_eq(calltree_build(stage, &by_incl, &tree), 0);
    cr_assert_eq(tree.node[0].func, FUNC_TOTAL);
    cr_assert_eq(excl_of(&tree, "f0;f1;f1;g2"), 14 * MS);
    cr_assert_eq(excl_of(&tree, "f0;f1;f2"), 5 * MS);
    cr_assert_eq(excl_of(&tree, "f0;f5;inlined_5"), 5 * MS);
    cr_assert_eq(excl_of(&tree, "f0;f5"), 0);
    cr_assert_eq(excl_of(&tree, "<Truncated-stack>;f3"), 1 * MS);
    cr_assert_eq(excl_of(&tree, "<Unknown>"), 13 * MS);
    calltree_free(&tree);
}

Test(calltree, sums_and_order)
{
    struct calltree tree;
    struct values total, whole;

    cr_assert_eq(calltree_build(stage, &by_incl, &tree), 0);
    view_total(stage, &total);
    whole = calltree_incl(&tree, 0);
    cr_assert_eq(memcmp(&whole, &total, sizeof(total)), 0);
    for (u32 i = 0; i < tree.count; i++) {
        const struct calltree_node *n = &tree.node[i];
        struct values sum = calltree_excl(&tree, i), incl = calltree_incl(&tree, i);

        for (u32 c = n->child; c < n->child + n->nchildren; c++) {
            struct values child = calltree_incl(&tree, c);

            values_add(&sum, &child);
            cr_assert_eq(tree.node[c].parent, i);
            cr_assert_eq(tree.node[c].depth, n->depth + 1);
            cr_assert(c == n->child ||
                      calltree_incl(&tree, c - 1).v[0] >= child.v[0]);
        }
        cr_assert_eq(memcmp(&sum, &incl, sizeof(sum)), 0);
    }
    calltree_free(&tree);
}
