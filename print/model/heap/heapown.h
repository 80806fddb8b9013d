/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes that each function has allocated itself. A block counts for the innermost
 * function on its stack whose name is not that of an allocator. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPOWN_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPOWN_H

#include "print/model/heap/heap.h"

struct heapown {
    u64 *peak_bytes; /* by function; NULL with count 0 */
    u32 count;       /* functions beyond have none */
};

/* 0 and *out for heapown_free(), or -errno. */
int heapown_get(struct session *session, const struct heap *heap, struct heapown *out);
void heapown_free(struct heapown *own);

static inline u64
heapown_peak(const struct heapown *own, u32 function)
{
    return function < own->count ? own->peak_bytes[function] : 0;
}

#endif
