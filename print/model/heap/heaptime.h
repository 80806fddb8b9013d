/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The heap of a process over time, by function: what each had allocated itself
 * (heapown.h) and held, in the steps of heap_process. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPTIME_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPTIME_H

#include "print/model/heap/heap.h"
#include "print/model/heap/heapsteps.h"

struct heaptime {
    u32 *func; /* the session's functions; [0]: blocks that a filter left out */
    u32 nfuncs, room;
    /* Sorted by step. `key` is an index in func[], with at most one cell in a step. */
    struct heapsteps_cell *cell;
    u32 count;
};

/*
 * Get the heap over time of experiment `index`. heap: from tally_heap(); it must say
 * that this process was `recorded`. 0 and *out for heaptime_free(), or -errno.
 */
int heaptime_get(struct session *session, const struct heap *heap, u32 index,
                 struct heaptime *out);
void heaptime_free(struct heaptime *time);

#endif
