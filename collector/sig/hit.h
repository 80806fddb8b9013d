/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handler of the collector's signals: hits of clocks and counters, sample points,
 * pause and resume. It passes on signals that are the target's own.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HIT_H
#define ERTOOLS_COLLECTOR_SIG_HIT_H

#include <signal.h>

#include "collector/sig/hit_settings.h"
#include "collector/sig/thread.h"
#include "share/types.h"

/* Its address is the sigev_value of our timers, and of no others. */
extern char hit_cookie;

void sig_handler(int signo, siginfo_t *info, void *context);

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
