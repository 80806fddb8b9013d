/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/treedraw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper levels are drawn without the outer ones, their depth in front. */
enum { DRAWN_LEVELS = 64 };

static int
has_next(const struct calltree *tree, u32 node)
{
    const struct calltree_node *parent = &tree->node[tree->node[node].parent];

    return node && node + 1 < parent->child + parent->nchildren;
}

u32
treedraw_next(const struct calltree *tree, u32 node)
{
    if (tree->node[node].nchildren)
        return tree->node[node].child;
    while (node && !has_next(tree, node))
        node = tree->node[node].parent;
    return node ? node + 1 : 0;
}

const char *
treedraw_branches(struct treedraw *d, struct table *t, u32 node)
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

void
treedraw_close(struct treedraw *d)
{
    free(d->open);
}
