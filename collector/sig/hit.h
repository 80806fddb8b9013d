/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handler of the collector's signals: clock hits, sample points, pause and resume;
 * and the passing on of signals that are the target's own.
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

/* sigev_value of our timers: its address is unique. */
extern char hit_cookie;

/* Set once before the first handler runs. */
struct hit_settings {
    u64 clock_ns;      /* clock-profiling interval */
    u64 tick_ns;       /* the kernel's tick, by which it accounts CPU time */
    int sample_signal; /* -l, 0 = none */
    int pause_signal;  /* -y, 0 = none */
    u32 pid;           /* of the process that is recorded */
};

extern struct hit_settings hit_settings;

void sig_handler(int signo, siginfo_t *info, void *context);

/*
 * The current thread, for handlers. NULL also while the target uses the thread pointer
 * for something else.
 */
struct thread *sig_self(void);

/* Record a sample point; the label may be NULL. Our signals are blocked. */
void sig_sample(struct thread *t, u32 cause, const char *label, u32 label_len);

/*
 * 1 if a clock or counter of thread t (which may be NULL), or chain_nudge(), has sent
 * this signal.
 */
int sig_is_ours(const struct thread *t, const siginfo_t *info);

/* The next interval of a perf clock whose period varies, in ns. */
u64 sig_next_period(struct perf_clock *perf);

#endif
