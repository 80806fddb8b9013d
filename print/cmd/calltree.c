/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "print/cmd/list.h"

/* Deeper levels are drawn without the outer ones, their depth in front. */
enum { DRAWN_LEVELS = 64 };

struct drawing {
    const struct calltree *tree;
    char *open; /* per level: whether that ancestor has a sibling behind it */
    u32 room;
};

static int
has_next(const struct calltree *tree, u32 node)
{
    const struct calltree_node *parent = &tree->node[tree->node[node].parent];

    return node && node + 1 < parent->child + parent->nchildren;
}

/* The node after this one in the order of the drawing; 0 at the end. */
static u32
next(const struct calltree *tree, u32 node)
{
    if (tree->node[node].nchildren)
        return tree->node[node].child;
    while (node && !has_next(tree, node))
        node = tree->node[node].parent;
    return node ? node + 1 : 0;
}

/* The lines to the left of a name; a string of the table's arena. */
static const char *
branches(struct drawing *d, struct table *t, u32 node)
{
    u32 depth = d->tree->node[node].depth, first = 0;
    char *text, *p, number[24];

    if (depth >= d->room) {
        d->room = 2 * depth + 64;
        d->open = mem_realloc(d->open, d->room);
    }
    d->open[depth] = (char)has_next(d->tree, node);
    text = p = arena_alloc(&t->arena, 2 * DRAWN_LEVELS + 4);
    if (depth > DRAWN_LEVELS)
        first = depth - DRAWN_LEVELS;
    for (u32 i = first; i < depth; i++) {
        *p++ = i && d->open[i] ? '|' : ' ';
        *p++ = ' ';
    }
    *p++ = '+';
    *p++ = '-';
    if (first)
        memcpy(text, number, (size_t)sprintf(number, "(%u) ", depth));
    return text;
}

int
cmd_calltree(struct shell *sh, int argc, char **argv)
{
    struct order order = list_call_order(sh);
    struct values whole, excl, incl;
    struct drawing d = { 0 };
    struct calltree tree;
    struct table *t;
    struct mcols m;
    u32 id, parent, depth, shown, name, left;
    int err = calltree_build(sh->session, &order, &tree);

    (void)argc;
    if (err)
        return shell_fail_errno(sh, err, "the call tree cannot be built");
    d.tree = &tree;
    t = list_table(argv[0], "Call tree", &order);
    id = table_column(t, "id", "Id", "", COL_COUNT, COL_DATA_ONLY);
    parent = table_column(t, "parent", "Parent", "", COL_COUNT, COL_DATA_ONLY);
    depth = table_column(t, "depth", "Depth", "", COL_COUNT, COL_DATA_ONLY);
    mcols_before(&m, sh, t, MCOLS_CALLS);
    shown = table_column(t, "shown", "Name", "", COL_TEXT, COL_TEXT_ONLY);
    name = table_column(t, "name", "Name", "", COL_TEXT, COL_DATA_ONLY);
    mcols_after(&m);
    left = shell_limit(sh, t, tree.count);
    whole = calltree_incl(&tree, 0);
    for (u32 i = 0; left; i = next(&tree, i), left--) {
        const struct calltree_node *n = &tree.node[i];
        const char *title = function_title(sh->session, n->func);
        struct mcols_values v = {
            .excl = &excl,
            .incl = &incl,
            .attr = &incl,
            .whole = &whole,
        };

        excl = calltree_excl(&tree, i);
        incl = calltree_incl(&tree, i);
        table_row(t, 0);
        mcols_fill(&m, &v);
        table_number(t, id, i);
        if (i)
            table_number(t, parent, n->parent);
        table_number(t, depth, n->depth);
        table_text(t, name, title);
        table_format(t, shown, "%s%s", branches(&d, t, i), title);
    }
    free(d.open);
    calltree_free(&tree);
    return shell_show(sh, t);
}
