/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts clock ticks to nanoseconds. Chunk headers and events have pairs (ticks,
 * CLOCK_MONOTONIC); between these, the conversion is linear.
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
    struct clock_pair *pair; /* strictly rising in both members after clock_seal() */
    u32 count;
    u32 room;
    bool identity; /* ticks are CLOCK_MONOTONIC ns: no conversion */
    /* converts ticks after they restarted at a lower value; NULL: they did not */
    struct clock *anew;
};

/*
 * Add a pair, in any order; the conversions below need clock_seal() first. 0 or
 * -ENOMEM.
 */
int clock_add(struct clock *clock, u64 tick, u64 mono);

/*
 * Sort the pairs, drop contradictory ones, and keep about one per ms. If two pairs show
 * that the ticks restarted, as the TSC does when a machine is suspended, move them and
 * all later pairs to `anew`.
 */
void clock_seal(struct clock *clock);

/*
 * Convert a tick to ns of CLOCK_MONOTONIC. Before the first pair and after the last
 * one, the nearest piece is extended. With a single pair, the result is its `mono`;
 * with none, 0.
 */
u64 clock_mono(const struct clock *clock, u64 tick);

/*
 * Like clock_mono(), but faster if ticks mostly follow each other: *piece, which the
 * caller sets to 0 at first, remembers where the last tick was found.
 */
u64 clock_mono_from(const struct clock *clock, u64 tick, u32 *piece);

/*
 * The tick at which CLOCK_MONOTONIC was `mono`; 0 if that is before the first possible
 * tick. Uses only the pairs before a restart.
 */
u64 clock_tick(const struct clock *clock, u64 mono);

/*
 * The first time in records, as a number of units of 1 << shift ticks, that
 * clock_mono() converts to `mono` or later.
 */
u64 clock_first(const struct clock *clock, u64 mono, u32 shift);

/*
 * The ns per tick: the mean over all pairs before a restart; 1 if there are below two.
 */
double clock_rate(const struct clock *clock);

/* Convert a number of units, each of `rate` ns, to ns; at most UINT64_MAX. */
static inline u64
clock_scaled(u64 time, double rate)
{
    double ns = (double)time * rate;

    return ns < 1e19 ? (u64)(ns + 0.5) : UINT64_MAX;
}

void clock_free(struct clock *clock);

#endif
