/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Residuals: the CPU time of a thread that no hit stands for. Normal context of the
 * thread itself, inside a guard.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_ACCOUNT_H
#define ERTOOLS_COLLECTOR_PRELOAD_ACCOUNT_H

#include "collector/sig/thread.h"
#include "share/types.h"

/*
 * Write a residual of this kind (enum er_residual), unless user and system, in ns, are
 * 0.
 */
void account_residual(struct thread *t, u32 kind, u64 user, u64 system);

/* CPU time of the calling thread now, ns. */
struct cpu_times account_now(void);

/*
 * CPU time of the process now, ns. The sum is exact; its split into user and system
 * time has the resolution of the kernel's tick.
 */
struct cpu_times account_process(void);

/*
 * CPU time that the process had used, in ns, when the present program began or collect
 * attached: it is not the recording's. account_since_base(): what of `now`, from
 * account_process(), is.
 */
void account_set_base(u64 user, u64 system);
struct cpu_times account_since_base(struct cpu_times now);

/*
 * Return cpu, a value of t's CPU clock in ns, less the time that the clock already
 * showed before an exec or an attach.
 */
u64 account_since_birth(const struct thread *t, u64 cpu);

/*
 * Record the CPU time that no hit stands for as residuals. Update the thread's row: its
 * CPU times, its name, and with wall time its run delay.
 */
void account_close(struct thread *t);

#endif
