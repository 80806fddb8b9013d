/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What gen_trace's parts share: events whose sums are known.
 * Ordinary process context; failures end the program.
 */
#ifndef ERTOOLS_TESTS_TRACE_H
#define ERTOOLS_TESTS_TRACE_H

#include "tests/gen/forest.h"

enum {
    STEP = 16, /* ns: what all times are multiples of, so that none is rounded */
};

struct world {
    struct gen *gen;
    struct forest forest;
    u32 threads;
    u32 descendants;
    u64 syncs; /* events to write */
    u64 ios;
    u64 clocks; /* hits of the sampling clock */
    u64 blocks; /* allocations, and ends of blocks */
    u32 locks;
    u32 files;
    bool hostile; /* records without sense too, of which the truth does not know */
    u64 mono;     /* now */
};

/* Let some time pass. */
static inline void
world_step(struct world *w)
{
    w->mono += STEP * (1 + forest_below(&w->forest, 6));
}

/* A time of 1 to n steps. */
static inline u64
world_time(struct world *w, u32 n)
{
    return STEP * (1 + (u64)forest_below(&w->forest, n));
}

static inline u32
world_thread(struct world *w)
{
    return 1 + forest_below(&w->forest, w->threads);
}

/* Write the events, and print what they sum up to. */
void gen_syncs(struct world *world);
void gen_ios(struct world *world);
void gen_clocks(struct world *world);
void gen_blocks(struct world *world);

#endif
