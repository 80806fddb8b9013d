/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clock ticks to nanoseconds: piecewise linear between the pairs (ticks,
 * CLOCK_MONOTONIC) that chunk headers and events hold.
 */
#ifndef ERTOOLS_PRINT_LOAD_CLOCK_H
#define ERTOOLS_PRINT_LOAD_CLOCK_H

#include <stdbool.h>

#include "share/types.h"

struct clock_pair {
    u64 tick;
    u64 mono; /* ns */
};

struct clock {
    struct clock_pair *pair; /* sorted; both members strictly rising after clock_seal */
    u32 count;
    u32 room;
    bool identity; /* ticks are CLOCK_MONOTONIC ns already */
    struct clock *anew; /* after a restart of the ticks at a lower number; or NULL */
};

/* 0 or -ENOMEM. */
int clock_add(struct clock *clock, u64 tick, u64 mono);

/*
 * Sort the pairs, drop contradictory ones, and reduce them to one per ms. If several
 * show that the ticks restarted, as the TSC does when a machine is suspended, these go
 * to `anew`, which converts the ticks after the restart.
 */
void clock_seal(struct clock *clock);

/* CLOCK_MONOTONIC ns of a tick; outside the pairs, the nearest piece goes on. */
u64 clock_mono(const struct clock *clock, u64 tick);

/*
 * The same where ticks mostly follow each other: *piece, 0 at first, is where the last
 * one was found.
 */
u64 clock_mono_from(const struct clock *clock, u64 tick, u32 *piece);

/* A tick at which CLOCK_MONOTONIC was `mono`; 0 before the first that can be. */
u64 clock_tick(const struct clock *clock, u64 mono);

/* ns per tick: the mean over all pairs before a restart. */
double clock_rate(const struct clock *clock);

/* A number of units of `rate` ns, converted to ns; at most the greatest u64. */
static inline u64
clock_scaled(u64 time, double rate)
{
    double ns = (double)time * rate;

    return ns < 1e19 ? (u64)(ns + 0.5) : UINT64_MAX;
}

void clock_free(struct clock *clock);

#endif
