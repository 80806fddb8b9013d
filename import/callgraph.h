/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes stacks for formats that say how much each call spends, but have no stacks. Many
 * sets of stacks agree with the file's exclusive values and calls. One of them is made:
 * from each root on, following the largest calls first. So exclusive and inclusive
 * values, and those of callers and callees, are the file's; the stacks themselves are
 * only one possibility. In a recursion, the value that goes round is removed. A
 * function's inclusive value may then be too small, since the format does not contain
 * it. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_CALLGRAPH_H
#define ERTOOLS_IMPORT_CALLGRAPH_H

#include "import/kinds.h"

/* How much a place spends: itself, or in its calls of one function. */
struct callgraph_cost {
    u32 func;   /* of names.h: the function that contains the place */
    u32 place;
    u32 callee; /* func; 0 = itself */
};

struct callgraph {
    struct import *im;
    u32 nkinds;
    struct callgraph_cost *cost;
    u64 *value; /* nkinds for each cost */
    u32 ncosts, costs_room, values_room;
    u32 root; /* a function that stands for the caller of all others, 0 = none */
    u64 steps_left; /* calls that stacks may still have */
};

/* nkinds: how many values each cost has. */
void callgraph_open(struct callgraph *g, struct import *im, u32 nkinds, u64 file_size);
void callgraph_close(struct callgraph *g);

/* Add a cost with its values; if memory runs out, im->failed is set. */
void callgraph_add(struct callgraph *g, const struct callgraph_cost *cost,
                   const u64 *value);

/* Make all costs into hits of stacks. 0 or -ENOMEM. */
int callgraph_settle(struct callgraph *g, const struct import_kind *kind,
                     struct import_hit *hit);

#endif
