/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much a process held over time, in a bounded number of equal steps: when the run
 * gets longer, pairs of steps are merged. Times are record times. For the model's own
 * use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPCURVE_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPCURVE_H

#include "share/types.h"

enum {
    HEAP_CURVE_STEPS = 512, /* at most; at least half as many, except in short runs */
};

struct heap_held {
    u64 most; /* bytes held at once within the step */
    u64 left; /* bytes held at the end of the step */
};

/* All 0 is empty. */
struct heap_curve {
    struct heap_held step[HEAP_CURVE_STEPS];
    u32 at;   /* index of the present step; those before it are complete */
    u32 bits; /* a step is 1 << bits long, in units of record times */
    u64 most; /* the most bytes held at once in the present step so far */
};

/* Go to the step of `time`, which is past the present one. For heapcurve_at(). */
void heapcurve_move(struct heap_curve *curve, u64 time, u64 live);

/* Call before each event. time: since the first event; live: bytes held until then. */
static inline void
heapcurve_at(struct heap_curve *curve, u64 time, u64 live)
{
    if (ER_UNLIKELY(time >> curve->bits > curve->at))
        heapcurve_move(curve, time, live);
}

/* Complete the present step. live: bytes held at its end. */
void heapcurve_end(struct heap_curve *curve, u64 live);

#endif
