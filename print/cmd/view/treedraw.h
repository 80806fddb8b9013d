/* SPDX-License-Identifier: Apache-2.0 */
/* A call tree in a table, drawn to the left of its names. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_VIEW_TREEDRAW_H
#define ERTOOLS_PRINT_CMD_VIEW_TREEDRAW_H

#include "print/export/table.h"
#include "print/model/views/calltree.h"

/*
 * treedraw_open() makes the columns that place a node, treedraw_names() those behind
 * the metrics. Then, from node 0 on to treedraw_next(), a row each, which the caller
 * begins.
 */
struct treedraw {
    const struct calltree *tree;
    struct table *table;
    u32 id, parent, depth, shown, name; /* columns */
    char *open; /* per level: whether that ancestor has a sibling behind it */
    u32 room;
};

void treedraw_open(struct treedraw *d, struct table *t, const struct calltree *tree);
void treedraw_names(struct treedraw *d);

/* The node's cells in the row at hand, in the order of the drawing. */
void treedraw_node(struct treedraw *d, u32 node, const char *title);

/* The node after this one in the order of the drawing; 0 at the end. */
u32 treedraw_next(const struct treedraw *d, u32 node);

void treedraw_close(struct treedraw *d);

#endif
