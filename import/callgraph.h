/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks for formats that know what each call spends, but no stacks. Of all sets of
 * stacks with the file's exclusive values and calls, one is made: from each root on,
 * the largest calls first. Exclusive and inclusive values and those of callers and
 * callees are the file's then; which stacks they are in is one possibility. Ordinary
 * process context.
 *
 * Where functions call each other in a circle, what goes around in it is taken out: a
 * function's inclusive value may then be too small, as the format does not tell it.
 */
#ifndef ERTOOLS_IMPORT_CALLGRAPH_H
#define ERTOOLS_IMPORT_CALLGRAPH_H

#include "import/kinds.h"

/* What a place spends, itself or in calls of one function. */
struct callgraph_cost {
    u32 func;   /* of names.h, whose place it is */
    u32 place;
    u32 callee; /* func; 0 = itself */
};

struct callgraph {
    struct import *im;
    u32 nkinds;
    struct callgraph_cost *cost;
    u64 *value; /* nkinds for each cost */
    u32 ncosts, costs_room, values_room;
    u32 root; /* a function that stands for all others' caller, 0 = none */
    u64 steps_left; /* calls in stacks that may still be made */
};

/* nkinds: values of each cost. */
void callgraph_open(struct callgraph *g, struct import *im, u32 nkinds, u64 file_size);
void callgraph_close(struct callgraph *g);

/* Add a cost with its values; out of memory: im->failed. */
void callgraph_add(struct callgraph *g, const struct callgraph_cost *cost,
                   const u64 *value);

/* Make hits of all costs. 0 or -ENOMEM. */
int callgraph_settle(struct callgraph *g, const struct import_kind *kind,
                     struct import_hit *hit);

#endif
