/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random stacks for generators of traces, and sums over them. Ordinary process context;
 * failures end the program.
 */
#ifndef ERTOOLS_TESTS_FOREST_H
#define ERTOOLS_TESTS_FOREST_H

#include "tests/gen/gen.h"

enum {
    FOREST_BIAS = 0x555500000000,
};

struct forest {
    u32 nodes;
    u32 functions;
    u64 seed;
    u32 *parent; /* by node id, from 1 */
    u32 *func;
};

/*
 * Write the object /gen/app (functions f0, f1, ...), its archive and its nodes.
 * nodes, functions and seed are the caller's.
 */
void forest_make(struct forest *forest, struct gen *gen);
/* Write the object and the same nodes once more, into a sub-experiment. */
void forest_copy(const struct forest *forest, struct gen *gen);
void forest_free(struct forest *forest);

u64 forest_random(struct forest *forest);
u32 forest_below(struct forest *forest, u32 n);

/* A node's id. */
u32 forest_node(struct forest *forest);

/*
 * Print for each function with values "WORD fN" and its `count` exclusive sums, then
 * the inclusive ones. self: `count` values for each node id.
 */
void forest_tell(const struct forest *forest, const char *word, const u64 *self,
                 u32 count);

/* What malloc, calloc or realloc gave. */
void *forest_must(void *p);

#endif
