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
    u32 *func; /* of the session, by number; [0] is of blocks that a filter left out */
    u32 nfuncs, room;
    /* By step; `key` is a number of `func`, at most one cell of it in a step. */
    struct heapsteps_cell *cell;
    u32 count;
};

/*
 * The process of experiment `index`, of which tally_heap() said that it was recorded. 0
 * and *out for heaptime_free(), or -errno.
 */
int heaptime_get(struct session *session, const struct heap *heap, u32 index,
                 struct heaptime *out);
void heaptime_free(struct heaptime *time);

#endif
