/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of a session as a tree, with sums. aggregate_open() makes it. For the
 * model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_STACKTREE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_STACKTREE_H

#include <stdbool.h>

#include "print/model/grid.h"
#include "share/types.h"

/* The tree of stacks with its sums, prepared for a pass over all nodes. */
struct stack_tree {
    u32 count;            /* number of nodes; node 0 is the root of all */
    u32 *child;           /* by node: its first child, 0 = none */
    u32 *sibling;         /* by node: its next sibling, 0 = none */
    struct grid total; /* by node: sums over it and all nodes below it */
    const struct grid *self; /* by node: its own values */
    struct grid *own; /* `self`, if that is a copy with fewer metrics; else NULL */
    bool *used; /* by node: does it, or a node below it, have a value? */
    u32 *first; /* by node: number of its first frame; see aggregate_open() */
    u32 *depth; /* by node: number of its frames; 0: a caller's frame stands for it */
    u32 *leaf;  /* by node: its innermost frame, or its caller's if it has none */
};

#endif
