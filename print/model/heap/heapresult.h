/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of one pass over the heap records of an experiment. For the model's own
 * use; see heapscan.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPRESULT_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPRESULT_H

#include "print/model/heap/heapcurve.h"
#include "print/model/heap/heappart.h"

struct heap_owner {
    u32 node; /* stack, as the experiment's own id; or what heap_keys.key() returned */
    u32 slot; /* thread: index in threads.row + 1; 0 = none */
    struct heap_part part;
};

struct heap_scan {
    struct heap_owner *owner; /* [0]: blocks that were not selected */
    struct heap_kept *kept;   /* by owner */
    u32 count;
    u32 room;
    struct heap_part class[HEAP_CLASSES];
    struct heap_process process; /* times are record times; total is not set */
    struct heap_curve curve;       /* from `first` on */
    u64 first, last; /* record times of the first and the last event */
};

#endif
