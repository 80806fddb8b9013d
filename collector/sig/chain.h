/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that share our number but are the target's own. They are handled as the
 * target has asked by sigaction(), which signals/signal.c does not pass to the kernel.
 * Handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CHAIN_H
#define ERTOOLS_COLLECTOR_SIG_CHAIN_H

#include <signal.h>

#include "collector/sig/action.h"
#include "collector/sig/thread.h"
#include "share/types.h"

/* The target's action for our signal, now in force; never NULL. */
const struct action *chain_action(void);

/* Put another in force. Normal context, our signal blocked, one caller at a time. */
void chain_set(const struct action *action);

/*
 * Act on a signal as the target would have it. t may be NULL. Called from our handler,
 * as its last act: it may not return.
 */
void chain_pass(struct thread *t, siginfo_t *info, void *context);

/*
 * Pass on the signal that was kept for t, unless t blocks it still. Called like
 * chain_pass(), after each signal of ours.
 */
void chain_pass_held(struct thread *t, void *context);

/* The thread that is in sigwait() or the like for our signal, or 0. */
extern u32 chain_waiter;

/* The thread that has given our signal up to read it from a descriptor, or 0. */
extern u32 chain_reader;

/* 1 = a signal for t, or for the process, is kept until t unblocks it. */
int chain_held(const struct thread *t);

/* Remove such a signal: 1, or 0 if there is none. Our signal is blocked. */
int chain_take(struct thread *t, siginfo_t *info);

/* Send a signal of the target that was kept to the calling thread, tid. */
void chain_deliver(u32 tid, const siginfo_t *info);

/*
 * Send our signal to a thread, so that it calls chain_take() in its sigwait(), or its
 * handler calls chain_pass_held(). Where a hit is pending, the kernel drops this one,
 * and the hit does the same.
 */
void chain_nudge(u32 tid);

/* 1 = chain_nudge() has sent it. */
int chain_is_nudge(const siginfo_t *info);

#endif
