/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of the bytes that processes held at their peaks, those that each function had
 * allocated itself. A block counts for the innermost function on its stack whose name
 * is not an allocator's; if that is in a hidden object, for the function that stands
 * for the object. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPOWN_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPOWN_H

#include "print/model/heap/heap.h"

struct heapown {
    u64 *peak_bytes; /* by function; NULL if count is 0 */
    u32 count;       /* length of peak_bytes; later functions have 0 bytes */
};

/* Sum up the stacks of `heap`. 0 and *out for heapown_free(), or -errno. */
int heapown_get(struct session *session, const struct heap *heap, struct heapown *out);
void heapown_free(struct heapown *own);

static inline u64
heapown_peak(const struct heapown *own, u32 function)
{
    return function < own->count ? own->peak_bytes[function] : 0;
}

#endif
