/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much CPU time a hit stands for. Signal handlers of the thread itself.
 *
 * The perf clock's hits tell of user mode, a period each. The CPU-time timer's come at
 * the kernel's tick: with a perf clock they stand for the kernel's time, else for both.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_WEIGHT_H
#define ERTOOLS_COLLECTOR_SIG_WEIGHT_H

#include "collector/sig/thread.h"
#include "share/types.h"

/* Of a hit at pc. All zero: it is not to be recorded. */
struct cpu_times weight_of_perf(struct thread *t, u64 pc, u64 ticks);
struct cpu_times weight_of_timer(struct thread *t, u64 pc, u64 ticks);

/* The next number of a generator that is not for secrets. */
u32 weight_random(u32 *state);

#endif
