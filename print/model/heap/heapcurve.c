/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapcurve.h"

/*
 * Merge each two steps into one. The current step is not complete, and is kept apart.
 */
static void
widen(struct heap_curve *curve)
{
    struct heap_held *step = curve->step;
    u32 pairs = curve->at / 2;

    for (u32 i = 0; i < pairs; i++) {
        u64 a = step[2 * i].most, b = step[2 * i + 1].most;

        step[i] = (struct heap_held){ a > b ? a : b, step[2 * i + 1].left };
    }
    if (curve->at % 2 && step[curve->at - 1].most > curve->most)
        curve->most = step[curve->at - 1].most;
    curve->at = pairs;
    curve->bits++;
}

void
heapcurve_move(struct heap_curve *curve, u64 time, u64 live)
{
    while (time >> curve->bits >= HEAP_CURVE_STEPS)
        widen(curve);
    if (time >> curve->bits == curve->at)
        return;
    heapcurve_end(curve, live);
    for (curve->at++; curve->at < time >> curve->bits; curve->at++)
        curve->step[curve->at] = (struct heap_held){ live, live };
    curve->most = live;
}

void
heapcurve_end(struct heap_curve *curve, u64 live)
{
    curve->step[curve->at] = (struct heap_held){ curve->most, live };
}
