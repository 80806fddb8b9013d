/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handler of the collector's signals: hits of clocks and counters, sample points,
 * pause and resume. It passes on signals that are the target's own.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HIT_H
#define ERTOOLS_COLLECTOR_SIG_HIT_H

#include <signal.h>

#include "collector/sig/thread.h"
#include "share/types.h"

/*
 * Our signal: SIGURG, or SIGWINCH if the target's runtime uses SIGURG itself
 * (preload/program.h). Both are ignored by default, so a stray one does no harm.
 */
extern int hit_signal;

/*
 * 1 = a clock or counters use hit_signal. 0 = its action and mask are the target's own.
 */
extern u32 hit_is_used;

/* 1 where the kernel lets programs read the thread pointer's register (AT_HWCAP2). */
extern u32 hit_reads_pointer;

/* Its address is the sigev_value of our timers, and of no others. */
extern char hit_cookie;

/*
 * Set before the first handler runs. clock_ns may change once more, if no counter can
 * be opened (source_arm()).
 */
struct hit_settings {
    u64 clock_ns;      /* clock-profiling interval, 0 = no clock */
    u64 tick_ns;       /* the kernel's tick, by which it accounts CPU time */
    int sample_signal; /* signal of -l, 0 = none */
    int pause_signal;  /* signal of -y, 0 = none */
    u32 pid;           /* id of the process that is recorded */
};

extern struct hit_settings hit_settings;

void sig_handler(int signo, siginfo_t *info, void *context);

/*
 * The current thread, for handlers. NULL also while the target uses the thread pointer
 * for something else.
 */
struct thread *sig_self(void);

/*
 * Record a sample point; cause: enum er_cause; the label may be NULL. Call with our
 * signals blocked. If system calls are restricted (gate_limited), only asks the
 * launcher for a sample without label.
 */
void sig_sample(struct thread *t, u32 cause, const char *label, u32 label_len);

/*
 * 1 if a clock or counter of thread t (which may be NULL), or chain_nudge(), has sent
 * this signal.
 */
int sig_is_ours(const struct thread *t, const siginfo_t *info);

/* Choose the next period of a perf clock whose period varies, in ns. */
u64 sig_next_period(struct perf_clock *perf);

#endif
