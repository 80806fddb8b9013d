/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks without libc, for any context. Times in records are in ticks: of the TSC where
 * the kernel trusts it, else ns of CLOCK_MONOTONIC.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CLOCK_H
#define ERTOOLS_COLLECTOR_SIG_CLOCK_H

#include <time.h>

#include "collector/sig/sys.h"
#include "share/types.h"

/* 1 = ticks are TSC. */
extern u32 clock_is_tsc;

/* 1 = ticks are read by the instruction RDTSC; 0 = this process may not use it. */
extern u32 clock_by_tsc;

/* Approximate TSC ticks per second; 0 if ticks are ns. */
extern u64 clock_tsc_rate;

/* Set the three variables above. Called once, before the first sample. */
void clock_start(u64 tsc_rate);

/*
 * Call before this thread forbids itself RDTSC (PR_SET_TSC), which would then kill it:
 * from now on, all threads compute the same ticks from CLOCK_MONOTONIC.
 */
void clock_leave_tsc(void);

/*
 * Call before clock_gettime() is forbidden: from now on, its time is computed from the
 * TSC.
 */
void clock_leave_calls(void);

/*
 * ns by which this process's CLOCK_MONOTONIC is ahead of the launcher's: it may be in
 * another time namespace.
 */
extern u64 clock_ahead;

/*
 * Set clock_ahead. tick, mono: a recent reading of the launcher's clocks. Call after
 * clock_start().
 */
void clock_align(u64 tick, u64 mono);

/* Read a clock, in ns; 0 where the kernel does not have it. */
static inline u64
clock_read(int clock)
{
    struct timespec ts = { 0, 0 };

    sys_call4(SYS_clock_gettime, clock, (long)(uintptr_t)&ts, 0, 0);
    return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

/* The launcher's CLOCK_MONOTONIC. */
static inline u64
clock_mono(void)
{
    return clock_read(CLOCK_MONOTONIC) - clock_ahead;
}

/* Convert a duration to ns, as exactly as clock_tsc_rate is known. */
u64 clock_ns(u64 ticks);

/* Now in ticks, and the processor in *cpu. */
u64 clock_ticks(u32 *cpu);

/* Now in ticks, where clock_by_tsc is 0. */
u64 clock_ticks_asked(void);

/*
 * CLOCK_MONOTONIC at a tick that was read lately: exact to a fraction of a us, even if
 * this thread was preempted since.
 */
u64 clock_mono_at(u64 tick);

/* User and system CPU time of this thread as the kernel accounts it, in ns. */
void clock_thread_times(u64 *user, u64 *system);

/* The CPU clock of another thread: MAKE_THREAD_CPUCLOCK of the kernel. */
static inline int
clock_of_thread(u32 tid)
{
    enum { CPUCLOCK_SCHED = 2, CPUCLOCK_PERTHREAD = 4 };

    return (int)(~tid << 3) | CPUCLOCK_SCHED | CPUCLOCK_PERTHREAD;
}

#endif
