/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call tree in a table: lines to the left of its names show which node calls which.
 * Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_VIEW_TREEDRAW_H
#define ERTOOLS_PRINT_CMD_VIEW_TREEDRAW_H

#include "print/export/table.h"
#include "print/model/views/calltree.h"

/*
 * treedraw_open() adds the columns for a node's place in the tree, treedraw_names() the
 * columns after the metrics. Then the caller begins a row for each node, from node 0 on
 * in the order of treedraw_next(), and calls treedraw_node() for it.
 */
struct treedraw {
    const struct calltree *tree;
    struct table *table;
    u32 id, parent, depth, shown, name; /* columns */
    char *open; /* by level: does the ancestor at it have a later sibling? */
    u32 room;
};

void treedraw_open(struct treedraw *d, struct table *t, const struct calltree *tree);
void treedraw_names(struct treedraw *d);

/* Fill the last row's cells for a node. Call it in the order of treedraw_next(). */
void treedraw_node(struct treedraw *d, u32 node, const char *title);

/* The node that is drawn after this one; 0 at the end. */
u32 treedraw_next(const struct treedraw *d, u32 node);

void treedraw_close(struct treedraw *d);

#endif
