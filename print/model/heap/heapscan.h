/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pass over the heap records of an experiment, in the order of time over all
 * threads: matches the ends of blocks with their beginnings. Memory grows with the
 * number of live blocks and of distinct stacks. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPSCAN_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPSCAN_H

#include "print/model/heap/heapcurve.h"
#include "print/model/heap/heapselect.h"
#include "print/model/heap/heapsteps.h"
#include "print/model/heap/heap.h"
#include "print/model/grid.h"
#include "print/model/metric.h"

/*
 * For sums by something else than stacks: key() returns the number by which to sum,
 * which is stored in heap_owner.node.
 */
struct heap_keys {
    u32 (*key)(void *context, const struct heap_block *block);
    void *context;
    bool leaks; /* the key depends on which blocks are never freed */
    struct heapsteps *steps; /* also record what keys held in each step; NULL = no */
};

/* The sums of one stack in one thread; times are record times. */
struct heap_part {
    struct heap_sums sums; /* leaks: what is live now; peak: see `peak` below */
    u64 peak; /* number of the process's peak to which sums.peak, peak_bytes belong */
};

struct heap_owner {
    u32 node; /* the experiment's own id */
    u32 slot; /* 0 = of no thread, else index in threads.row + 1 */
    struct heap_part part;
};

struct heap_scan {
    struct heap_owner *owner; /* [0] is of what was not selected */
    struct heap_kept *kept;   /* by owner */
    u32 count;
    u32 room;
    struct heap_part class[HEAP_CLASSES];
    struct heap_process process; /* times are record times; total is not set */
    struct heap_curve curve;       /* from `first` on */
    u64 first, last; /* times of events */
};

/*
 * filter: asked for each block when it begins, see heapselect.h; NULL = all blocks.
 * keys: NULL = sum by stack. 0 or -ENOMEM, or -ENOENT if the experiment has no heap
 * data.
 */
int heapscan_run(struct experiment *experiment, const struct bound_filter *filter,
                 const struct heap_keys *keys, struct heap_scan *out);

/* The sums that are metrics. */
struct values heap_values(const struct heap_sums *sums, const struct heap_kept *kept);
void heapscan_free(struct heap_scan *scan);

/*
 * Add the heap of experiment `index` to sums: to `nodes` (exclusive values by stack
 * node of the session), to `threads` (by slot), and to *heap, whose stacks
 * heap_settle() sorts later. 0 or -ENOMEM.
 */
int heap_add(struct session *session, u32 index, const struct bound_filter *filter,
             struct grid *nodes, struct values *threads, struct heap *heap);
void heap_settle(struct heap *heap);
void heap_free(struct heap *heap);

#endif
