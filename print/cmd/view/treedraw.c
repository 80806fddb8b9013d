/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/view/treedraw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/tree.h"

/* At deeper levels, the depth is written as a number in place of the outer levels. */
enum { DRAWN_LEVELS = 64 };

static bool
has_next(const struct calltree *tree, u32 node)
{
    const struct calltree_node *parent = &tree->node[tree->node[node].parent];

    return node && node + 1 < parent->child + parent->nchildren;
}

void
treedraw_open(struct treedraw *d, struct table *t, const struct calltree *tree)
{
    *d = (struct treedraw){ .tree = tree, .table = t };
    d->id = table_column(t, "id", "Id", "", COL_COUNT, COL_DATA_ONLY);
    d->parent = table_column(t, "parent", "Parent", "", COL_COUNT, COL_DATA_ONLY);
    d->depth = table_column(t, "depth", "Depth", "", COL_COUNT, COL_DATA_ONLY);
}

void
treedraw_names(struct treedraw *d)
{
    d->shown = table_column(d->table, "shown", "Name", "", COL_TEXT,
                            COL_TEXT_ONLY | COL_TREE);
    d->name = table_column(d->table, "name", "Name", "", COL_TEXT, COL_DATA_ONLY);
}

u32
treedraw_next(const struct treedraw *d, u32 node)
{
    const struct calltree *tree = d->tree;

    if (tree->node[node].nchildren)
        return tree->node[node].child;
    while (node && !has_next(tree, node))
        node = tree->node[node].parent;
    return node ? node + 1 : 0;
}

/*
 * The lines that are drawn to the left of a node's name; the table's arena owns them.
 */
static const char *
branches(struct treedraw *d, u32 node)
{
    u32 depth = d->tree->node[node].depth, first = 0;
    char *text, *p, number[24];

    if (depth >= d->room) {
        d->room = 2 * depth + 64;
        d->open = mem_realloc(d->open, d->room);
    }
    d->open[depth] = (char)has_next(d->tree, node);
    text = p = arena_alloc(&d->table->arena, 2 * DRAWN_LEVELS + 4);
    if (depth > DRAWN_LEVELS)
        first = depth - DRAWN_LEVELS;
    for (u32 i = first; i < depth; i++) {
        *p++ = i && d->open[i] ? TREE_DOWN : TREE_NONE;
        *p++ = ' ';
    }
    memcpy(p, d->open[depth] ? TREE_CHILD : TREE_LAST, 2);
    if (first)
        memcpy(text, number, (size_t)sprintf(number, "(%u) ", depth));
    return text;
}

void
treedraw_node(struct treedraw *d, u32 node, const char *title)
{
    const struct calltree_node *n = &d->tree->node[node];

    table_number(d->table, d->id, node);
    if (node)
        table_number(d->table, d->parent, n->parent);
    table_number(d->table, d->depth, n->depth);
    table_text(d->table, d->name, title);
    table_format(d->table, d->shown, "%s%s", branches(d, node), title);
}

void
treedraw_close(struct treedraw *d)
{
    free(d->open);
}
