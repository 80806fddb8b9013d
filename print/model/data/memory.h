/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out what was at an address at a certain time: a mapping or, if the heap was
 * traced, a block. Questions must be sorted by time. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_DATA_MEMORY_H
#define ERTOOLS_PRINT_MODEL_DATA_MEMORY_H

#include <stdbool.h>

#include "print/load/experiment.h"

/* A record `region` of the file `overview`: a mapping of [lo, hi). */
struct memory_region {
    u64 mono; /* CLOCK_MONOTONIC ns at which it was made; 0 = before recording began */
    u64 lo, hi;
    u32 kind; /* enum er_region_kind */
    char *name; /* "" = none */
};

struct memory_regions {
    struct memory_region *row; /* sorted by time */
    u32 count;
    u32 room;
};

/* Read the mappings. 0 and *out for memory_regions_free(), or -ENOMEM. */
int memory_regions_read(struct experiment *experiment, struct memory_regions *out);
void memory_regions_free(struct memory_regions *regions);

/* A question: an address at a time; the answer is the block that was there. */
struct memory_question {
    u64 ticks; /* questions are sorted by this */
    u64 addr;
    /* The answer: all 0 if no block is known. */
    u64 block; /* address at which the block begins */
    u64 size;  /* bytes of the block */
    u32 node;  /* the experiment's node id of the stack that allocated it */
    bool mapping; /* it is an anonymous mapping of the program */
};

/*
 * Answer `count` questions, whose answers are all 0 before. Without heap data, no
 * blocks are found. 0 or -ENOMEM.
 */
int memory_blocks(struct experiment *experiment, struct memory_question *question,
                  u64 count);

#endif
