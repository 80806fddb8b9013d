/* SPDX-License-Identifier: Apache-2.0 */
/* A call tree, drawn to the left of its names. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_TREEDRAW_H
#define ERTOOLS_PRINT_CMD_TREEDRAW_H

#include "print/cmd/table.h"
#include "print/model/calltree.h"

/* All 0, but for the tree, is a beginning. */
struct treedraw {
    const struct calltree *tree;
    char *open; /* per level: whether that ancestor has a sibling behind it */
    u32 room;
};

/* The node after this one in the order of the drawing; 0 at the end. */
u32 treedraw_next(const struct calltree *tree, u32 node);

/*
 * The lines to the left of a node's name, a string of the table's arena. Ask for the
 * nodes in the order of the drawing.
 */
const char *treedraw_branches(struct treedraw *d, struct table *t, u32 node);

void treedraw_close(struct treedraw *d);

#endif
