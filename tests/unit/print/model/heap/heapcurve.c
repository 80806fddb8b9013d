/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapcurve.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum {
    EVENTS = 3000,
};

static u32 seed;

static u32
below(u32 n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* Gaps of up to `gap`: each step against what events say of it, one by one. */
static void
compare(u32 gap)
{
    static u64 time[EVENTS], live[EVENTS + 1]; /* live[i]: before event i */
    struct heap_curve curve = { 0 };
    u64 width;

    for (u32 i = 0; i < EVENTS; i++) {
        time[i] = (i ? time[i - 1] : 0) + (i ? below(gap) : 0);
        live[i + 1] = below(1000000);
        heapcurve_at(&curve, time[i], live[i]);
        if (live[i + 1] > curve.most)
            curve.most = live[i + 1];
    }
    heapcurve_end(&curve, live[EVENTS]);
    width = (u64)1 << curve.bits;
    cr_assert_eq(curve.at, time[EVENTS - 1] / width);
    cr_assert_lt(curve.at, HEAP_CURVE_STEPS);
    cr_assert(curve.bits == 0 || curve.at >= HEAP_CURVE_STEPS / 2);
    for (u32 s = 0, i = 0; s <= curve.at; s++) {
        u64 most = live[i];

        for (; i < EVENTS && time[i] / width == s; i++)
            most = live[i + 1] > most ? live[i + 1] : most;
        cr_assert_eq(curve.step[s].most, most);
        cr_assert_eq(curve.step[s].left, live[i]);
    }
}

Test(heapcurve, as_the_events_say)
{
    static const u32 gaps[] = { 1, 2, 3, 10, 1000, 1 << 24 };

    for (u32 i = 0; i < ER_COUNT(gaps); i++) {
        seed = i;
        compare(gaps[i]);
    }
}

Test(heapcurve, a_leap_over_many_steps)
{
    struct heap_curve curve = { 0 };

    heapcurve_at(&curve, 0, 0);
    curve.most = 7;
    heapcurve_at(&curve, (u64)1 << 60, 7);
    curve.most = 9;
    heapcurve_end(&curve, 3);
    cr_assert_eq(curve.at, HEAP_CURVE_STEPS / 2);
    for (u32 i = 0; i < curve.at; i++) {
        cr_assert_eq(curve.step[i].most, 7);
        cr_assert_eq(curve.step[i].left, 7);
    }
    cr_assert_eq(curve.step[curve.at].most, 9);
    cr_assert_eq(curve.step[curve.at].left, 3);
}
