/* SPDX-License-Identifier: Apache-2.0 */
/* One moment on the clocks of an experiment. Normal context of the launcher. */
#ifndef ERTOOLS_INSPECT_MOMENT_H
#define ERTOOLS_INSPECT_MOMENT_H

#include <time.h>

#include "share/types.h"

struct moment {
    u64 tick; /* TSC, or the same as mono where the kernel does not trust it */
    u64 mono; /* CLOCK_MONOTONIC, ns */
    u64 wall; /* CLOCK_REALTIME, ns */
};

static inline u64
moment_clock(clockid_t clock)
{
    struct timespec ts = { 0, 0 };

    clock_gettime(clock, &ts);
    return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

static inline u64
moment_mono(void)
{
    return moment_clock(CLOCK_MONOTONIC);
}

/*
 * Read the three clocks together: of a few tries, the one with the least time between
 * two readings of CLOCK_MONOTONIC. tsc: does this experiment count TSC ticks?
 */
struct moment moment_now(int tsc);

/*
 * Return the TSC ticks per second, to some 0.1 %. first: an earlier moment_now(1).
 * Sleeps if too little time has passed since then.
 */
u64 moment_tsc_rate(const struct moment *first);

#endif
