/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The account of a thread's CPU time: what no hit has reported. Normal context of the
 * thread itself, inside a guard.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_ACCOUNT_H
#define ERTOOLS_COLLECTOR_PRELOAD_ACCOUNT_H

#include "collector/sig/thread.h"
#include "share/types.h"

/* Write a residual of kind (enum er_residual), if there is anything to say. */
void account_residual(struct thread *t, u32 kind, u64 user, u64 system);

/* CPU time of the calling thread now, ns. */
struct cpu_times account_now(void);

/* The same of the process; the clock is exact, the split is the tick's. */
struct cpu_times account_process(void);

/* The thread's clock without what it counted before an exec, or before we came. */
u64 account_since_birth(const struct thread *t, u64 cpu);

/* Records the CPU time that no hit has reported as a residual. */
void account_close(struct thread *t);

#endif
