/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call tree by function, with unique names; for formats without addresses and
 * lines. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_OUT_OUTTREE_H
#define ERTOOLS_PRINT_OUT_OUTTREE_H

#include "print/model/views/calltree.h"
#include "print/out/out.h"
#include "print/out/outname.h"

struct outtree {
    struct calltree tree;
    struct outname name;
    bool *is_used; /* by function: it is in the tree */
    u32 *path;     /* filled by outtree_path() */
};

/* Children are sorted by the main metric. 0 and *out for outtree_close(); or -errno. */
int outtree_open(const struct out *out, struct outtree *tree);
void outtree_close(struct outtree *tree);

/*
 * Put the functions of a stack, root first, into tree->path; returns how many there
 * are.
 */
u32 outtree_path(struct outtree *tree, u32 node);

/* Get a metric's exclusive value at a node. */
static inline int64_t
outtree_value(const struct outtree *tree, u32 node, enum metric metric)
{
    return grid_value(&tree->tree.excl, tree->tree.node[node].row, metric);
}

/* Get the next node in preorder (a node, its children, its sibling); 0 at the end. */
u32 outtree_next(const struct outtree *tree, u32 node);

#endif
