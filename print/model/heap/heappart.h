/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of a stack while blocks begin and end. Used in the inner loop of heapscan.c. */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPPART_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPPART_H

#include "print/model/heap/heapscan.h"

/*
 * Call this before what is live in the part changes: if a new peak has been reached, it
 * saves what was live then.
 */
static inline void
heappart_snap(struct heap_part *part, u64 peak)
{
    if (part->peak == peak)
        return;
    part->sums.peak = part->sums.leaks;
    part->sums.peak_bytes = part->sums.leak_bytes;
    part->peak = peak;
}

static inline void
heappart_begin(struct heap_part *part, u64 peak, u64 size)
{
    heappart_snap(part, peak);
    part->sums.calls++;
    part->sums.bytes += size;
    part->sums.leaks++;
    part->sums.leak_bytes += size;
}

static inline void
heappart_end(struct heap_part *part, u64 peak, u64 size, u64 life)
{
    struct heap_sums *sums = &part->sums;

    heappart_snap(part, peak);
    sums->leaks--;
    sums->leak_bytes -= size;
    sums->life += life;
    if (life < sums->shortest || !sums->ended)
        sums->shortest = life;
    sums->ended++;
}

#endif
