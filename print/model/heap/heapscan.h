/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pass over the heap records of an experiment, in the order of time over all
 * threads: matches the ends of blocks with their beginnings. Memory grows with the
 * number of live blocks and of distinct stacks. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPSCAN_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPSCAN_H

#include "print/model/heap/heapresult.h"
#include "print/model/heap/heapselect.h"
#include "print/model/heap/heapsteps.h"

/*
 * For sums by something else than stacks: key() returns the number by which to sum,
 * which is stored in heap_owner.node.
 */
struct heap_keys {
    u32 (*key)(void *context, const struct heap_block *block);
    void *context;
    bool leaks; /* the key depends on which blocks are never freed */
    struct heapsteps *steps; /* gets what keys held in each step; NULL = not wanted */
};

/*
 * Make the pass. filter: asked for each block when it begins, see heapselect.h; NULL =
 * all blocks. keys: NULL = sum by stack. 0 and *out for heapscan_free(); -ENOENT: the
 * experiment has no heap data; or -ENOMEM.
 */
int heapscan_run(struct experiment *experiment, const struct bound_filter *filter,
                 const struct heap_keys *keys, struct heap_scan *out);
void heapscan_free(struct heap_scan *scan);

#endif
