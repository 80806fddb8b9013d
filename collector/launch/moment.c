/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/moment.h"

#ifdef __x86_64__
#include <x86intrin.h>
#endif

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
        /* The tick was read right after the first reading. */
        best.mono = tsc ? before + (after - before) / 4 : before;
    }
    return best;
}

u64
moment_tsc_rate(void)
{
    const struct timespec wait = { 0, 200000 };
    struct moment first = moment_now(1), last;

    do {
        nanosleep(&wait, NULL);
        last = moment_now(1);
    } while (last.mono - first.mono < (u64)wait.tv_nsec);
    return (u64)((double)(last.tick - first.tick) * 1e9 /
                 (double)(last.mono - first.mono));
}
