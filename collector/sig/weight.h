/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much CPU time a hit stands for. Runs in signal handlers of the thread itself.
 *
 * Hits of the perf clock stand for a period of user time each, some for two. Hits of
 * the CPU-time timer come at the kernel's tick: with a perf clock they stand for system
 * time, otherwise for user and system time.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_WEIGHT_H
#define ERTOOLS_COLLECTOR_SIG_WEIGHT_H

#include "collector/sig/thread.h"
#include "share/types.h"

/* The weight of a hit at pc, in ns. All zero: the hit is not to be recorded. */
struct cpu_times weight_of_perf(struct thread *t, u64 pc, u64 ticks);
struct cpu_times weight_of_timer(struct thread *t, u64 pc, u64 ticks);

/* The next number of a pseudo-random generator, not for secrets. */
u32 weight_random(u32 *state);

#endif
