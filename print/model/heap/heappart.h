/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of a stack while blocks begin and end. Used in the inner loop of heapscan.c. */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPPART_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPPART_H

#include "print/model/heap/heapsums.h"

/* The sums of one stack in one thread; times are record times. */
struct heap_part {
    struct heap_sums sums; /* leaks: what is live now; peak: see `peak` below */
    u64 peak; /* number of the process's peak to which sums.peak, peak_bytes belong */
};

/*
 * Save what is live in the part if the process has reached a new peak since the last
 * call. To be called before the live blocks change. peak: number of peaks so far.
 */
static inline void
heappart_save_peak(struct heap_part *part, u64 peak)
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
    heappart_save_peak(part, peak);
    part->sums.calls++;
    part->sums.bytes += size;
    part->sums.leaks++;
    part->sums.leak_bytes += size;
}

static inline void
heappart_end(struct heap_part *part, u64 peak, u64 size, u64 life)
{
    struct heap_sums *sums = &part->sums;

    heappart_save_peak(part, peak);
    sums->leaks--;
    sums->leak_bytes -= size;
    sums->life += life;
    if (life < sums->shortest || !sums->ended)
        sums->shortest = life;
    sums->ended++;
}

#endif
