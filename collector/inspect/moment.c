/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inspect/moment.h"

#ifdef __x86_64__
#include <x86intrin.h>
#endif

#define RATE_NS 200000u /* ns between two readings that tell the rate to 0.1 % */

static u64
ticks(void)
{
#ifdef __x86_64__
    unsigned int cpu;

    return __rdtscp(&cpu);
#else
    return 0;
#endif
}

struct moment
moment_now(int tsc)
{
    struct moment best = { 0, 0, 0 };
    u64 least = UINT64_MAX;

    for (int i = 0; i < 4; i++) {
        u64 before = moment_mono(), tick = tsc ? ticks() : before;
        u64 wall = moment_clock(CLOCK_REALTIME), after = moment_mono();

        if (after - before >= least)
            continue;
        least = after - before;
        best.tick = tick;
        best.wall = wall;
        /* The tick was read between the two readings of the clock, after the first. */
        best.mono = tsc ? before + (after - before) / 4 : before;
    }
    return best;
}

u64
moment_tsc_rate(const struct moment *first)
{
    const struct timespec wait = { 0, RATE_NS };
    struct moment last = moment_now(1);

    while (last.mono - first->mono < RATE_NS) {
        nanosleep(&wait, NULL);
        last = moment_now(1);
    }
    return (u64)((double)(last.tick - first->tick) * 1e9 /
                 (double)(last.mono - first->mono));
}
