/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out what was at an address at a certain time: a mapping or, if the heap was
 * traced, a block. Questions must be sorted by time. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_DATA_MEMORY_H
#define ERTOOLS_PRINT_MODEL_DATA_MEMORY_H

#include <stdbool.h>

#include "print/load/experiment.h"

/* A mapping, from the file `overview`. */
struct memory_region {
    u64 mono; /* ns: when it was made; 0 = before recording began */
    u64 lo, hi;
    u32 kind; /* enum er_region_kind */
    char *name; /* "" = none */
};

struct memory_regions {
    struct memory_region *row; /* by time */
    u32 count;
    u32 room;
};

/* 0 and *out for memory_regions_free(), or -ENOMEM. */
int memory_regions_read(struct experiment *experiment, struct memory_regions *out);
void memory_regions_free(struct memory_regions *regions);

/* A question: an address at a time; the answer is the block that was there. */
struct memory_question {
    u64 ticks; /* questions come in this order */
    u64 addr;
    u64 block; /* out: where the block begins */
    u64 size;
    u32 node;  /* out: the experiment's id of its stack; 0 = no block is known */
    bool mapping; /* out: the program mapped it, anonymously */
};

/* Answer all questions. Without heap data, no blocks are found. 0 or -ENOMEM. */
int memory_blocks(struct experiment *experiment, struct memory_question *question,
                  u64 count);

#endif
