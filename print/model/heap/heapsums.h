/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the blocks of a stack or a process, summed up. See heap.h. */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPSUMS_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPSUMS_H

#include <stdbool.h>

#include "share/types.h"

/* Sums over blocks. Bytes are those that the program asked for. */
struct heap_sums {
    u64 calls;
    u64 bytes;
    u64 leaks; /* blocks never freed; a block that realloc moved does not count */
    u64 leak_bytes;
    u64 peak; /* blocks that were there when the process held most bytes */
    u64 peak_bytes;
    u64 temporary; /* freed before the next allocation of the thread that made it */
    u64 ended;     /* freed, reallocated or unmapped */
    u64 life;      /* ns: sum of the lives of those that ended */
    u64 shortest;  /* ns, if any ended */
};

/* What is known of blocks that were never freed. */
enum heap_kind {
    HEAP_UNKNOWN,   /* there was no scan, or none since it was allocated */
    HEAP_LOST,      /* the program had no pointer to it any more */
    HEAP_INDIRECT,  /* only lost blocks point to it */
    HEAP_POSSIBLY,  /* only reached through a pointer into the middle of a block */
    HEAP_REACHABLE, /* it could still be used */
    HEAP_MAPPED,    /* a mapping, or the break, if there was a scan */
    HEAP_EXEC,      /* it ended with the program, as the process became another one */
    HEAP_KINDS,
};

struct heap_count {
    u64 count;
    u64 bytes;
};

struct heap_kept {
    struct heap_count kind[HEAP_KINDS];
    struct heap_count under; /* indirectly lost: reached only from lost blocks */
};

enum {
    HEAP_CLASSES = 50, /* sizes: class 0 is 0 bytes, class n below 2^n */
};

/*
 * What a process held during a step of time: all blocks, even those the filter rejects.
 */
struct heap_step {
    u64 end;  /* ns from the start of the run; it begins where the one before it ends */
    u64 most; /* the most bytes held at once */
    u64 left; /* bytes held at the end of the step */
};

/* One process, by its experiment's index. */
struct heap_process {
    bool recorded; /* it has heap data */
    struct heap_sums total;
    bool scanned; /* its memory was searched for pointers when it ended */
    bool ran_on;  /* collect detached from it: live blocks are not leaks */
    const char *why; /* why it was not scanned, as part of a sentence; not owned */
    struct heap_kept kept;
    u64 peak_bytes; /* the most that it held, of all blocks, whatever the filter */
    u64 peak_time;  /* ns from the start of the run */
    struct heap_step *step; /* from its first block to its last event */
    u32 steps;
    u32 step_bits; /* a step is 1 << step_bits long, in the unit of its records */
    u64 first; /* ns from the start of the run: where step[0] begins */
    u64 refused;   /* calls that failed for lack of memory */
    u64 strange;   /* frees of addresses at which no block was known */
    u64 unseen;    /* blocks whose address was allocated again, without a free */
    u64 file_maps, file_bytes;       /* mappings of files: not in the sums */
    u64 reserved_maps, reserved_bytes; /* mappings without access: not in the sums */
};

static inline u32
heapsums_class(u64 size)
{
    u32 class = size ? 64 - (u32)__builtin_clzll(size) : 0;

    return class < HEAP_CLASSES ? class : HEAP_CLASSES - 1;
}

/* The least size of a class. */
static inline u64
heapsums_class_least(u32 class)
{
    return class ? (u64)1 << (class - 1) : 0;
}

#endif
