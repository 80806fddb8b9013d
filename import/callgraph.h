/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes stacks for formats that say how much each call spends, but have no stacks. Many
 * sets of stacks agree with the file's exclusive values and calls. One of them is made:
 * from each root on, following the largest calls first. So exclusive and inclusive
 * values, and those of callers and callees, are the file's; the stacks themselves are
 * only one possibility. Where calls form a circle (recursion), the value that only goes
 * round the circle is dropped, as no stack could contain it; the inclusive values of
 * its functions may then be too small. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_CALLGRAPH_H
#define ERTOOLS_IMPORT_CALLGRAPH_H

#include "import/kinds.h"

/* What a value is for: the cost of a place itself, or of its calls of one function. */
struct callgraph_cost {
    u32 func;   /* number in names.h of the function that contains the place */
    u32 place;  /* number in names.h */
    u32 callee; /* the function that is called; 0 = the place's own cost */
};

struct callgraph {
    struct import *im;
    u32 nkinds;
    struct callgraph_cost *cost;
    u64 *value; /* nkinds for each cost */
    u32 ncosts, costs_room, values_room;
    u32 root; /* a function that stands for the caller of all others, 0 = none */
    u64 steps_left; /* frames that stacks may still get: limits the time */
};

/* nkinds: how many values each cost has. */
void callgraph_open(struct callgraph *g, struct import *im, u32 nkinds, u64 file_size);
void callgraph_close(struct callgraph *g);

/*
 * Add a cost with its nkinds values, unless its function or place is 0. If memory runs
 * out, im->failed is set.
 */
void callgraph_add(struct callgraph *g, const struct callgraph_cost *cost,
                   const u64 *value);

/*
 * Make all costs into hits of stacks, with the process, thread and time of *hit. Kinds
 * that kinds_settle() has left out are skipped. 0 or -ENOMEM.
 */
int callgraph_settle(struct callgraph *g, const struct import_kind *kind,
                     struct import_hit *hit);

#endif
