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
    HEAP_CURVE_STEPS = 512, /* at most; half of them at least, but for short runs */
};

struct heap_held {
    u64 most; /* bytes held at once within the step */
    u64 left; /* at its end */
};

/* All 0 is empty. */
struct heap_curve {
    struct heap_held step[HEAP_CURVE_STEPS];
    u32 at;   /* the present step; those before it are complete */
    u32 bits; /* a step is 1 << bits long */
    u64 most; /* of the present step so far */
};

/* Go to a later step than the present one. */
void heapcurve_move(struct heap_curve *curve, u64 time, u64 live);

/* Call before an event. time: since the first event; live: bytes held until then. */
static inline void
heapcurve_at(struct heap_curve *curve, u64 time, u64 live)
{
    if (ER_UNLIKELY(time >> curve->bits > curve->at))
        heapcurve_move(curve, time, live);
}

/* Complete the present step. */
void heapcurve_end(struct heap_curve *curve, u64 live);

#endif
