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

/* 1 = ticks are read by RDTSCP; 0 = ticks are ns, or this process may not use it. */
extern u32 clock_by_tsc;

/* Approximate TSC ticks per second; 0 if ticks are ns. */
extern u64 clock_tsc_rate;

/* A clock_gettime(), as in libc. */
typedef int clock_function(clockid_t clock, struct timespec *now);

/*
 * Set the three variables above. tsc_rate: TSC ticks per second, 0 = ticks are ns.
 * vdso: the kernel's clock_gettime() in this process, by which CLOCK_MONOTONIC is read
 * where ticks are ns; NULL: by system calls.
 */
void clock_start(u64 tsc_rate, clock_function *vdso);

/*
 * 1 = reading ticks may make a system call. Normal context: where the vdso is used,
 * this measures for some us whether it makes one, as it does for slow clock sources.
 */
int clock_makes_calls(void);

/*
 * Call before this thread forbids itself RDTSC (PR_SET_TSC), which would then kill it:
 * from now on, all threads compute ticks from CLOCK_MONOTONIC, read by system calls.
 */
void clock_leave_tsc(void);

/*
 * Call before clock_gettime() is forbidden: from now on, clock_mono_at() computes from
 * the TSC alone. No effect if clock_by_tsc is 0.
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

/* Read a clock (CLOCK_...), in ns; 0 if that fails. */
static inline u64
clock_read(int clock)
{
    struct timespec ts = { 0, 0 };

    sys_call4(SYS_clock_gettime, clock, (long)(uintptr_t)&ts, 0, 0);
    return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

/* The launcher's CLOCK_MONOTONIC, in ns. */
u64 clock_mono(void);

/* Convert a duration from ticks to ns, as exactly as clock_tsc_rate is known. */
u64 clock_ns(u64 ticks);

/* The time now, in ticks; *cpu: the processor's number. */
u64 clock_ticks(u32 *cpu);

/* The time now, in ticks, if clock_by_tsc is 0. */
u64 clock_ticks_mono(void);

/*
 * The launcher's CLOCK_MONOTONIC, in ns, at a tick that was read lately: exact to a
 * fraction of a us, even if this thread was preempted since.
 */
u64 clock_mono_at(u64 tick);

/*
 * Get the CPU times of this thread as the kernel accounts them, in ns; unchanged if the
 * call fails.
 */
void clock_thread_times(u64 *user, u64 *system);

/* The id of another thread's CPU clock: MAKE_THREAD_CPUCLOCK of the kernel. */
static inline int
clock_of_thread(u32 tid)
{
    enum { CPUCLOCK_SCHED = 2, CPUCLOCK_PERTHREAD = 4 };

    return (int)(~tid << 3) | CPUCLOCK_SCHED | CPUCLOCK_PERTHREAD;
}

#endif
