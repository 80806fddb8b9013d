/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's own signals that have the number of the collector's signal: the action
 * that the target has asked for by sigaction(), which signals/signal.c does not pass to
 * the kernel, and the signals that are kept while the target blocks them. chain_pass.h
 * handles them. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CHAIN_H
#define ERTOOLS_COLLECTOR_SIG_CHAIN_H

#include <signal.h>

#include "collector/sig/action.h"
#include "collector/sig/thread.h"
#include "share/types.h"

/* The target's action for our signal, now in force; never NULL. */
const struct action *chain_action(void);

/*
 * Put another action in force. Call in normal context, with our signal blocked, from
 * one thread at a time.
 */
void chain_set(const struct action *action);

/*
 * Keep a signal that the target has blocked in this thread. If it was sent to the
 * thread, keep it for the thread. Else give it to the thread that reads our signal from
 * a signalfd, or keep it for the process and nudge the thread in sigwait(), if any.
 */
void chain_hold(struct thread *t, const siginfo_t *info);

/* Id of the thread that waits for our signal in sigwait() or a similar call, or 0. */
extern u32 chain_waiter;

/*
 * Id of the thread that reads our signal from a signalfd, or 0. That thread is not
 * sampled.
 */
extern u32 chain_reader;

/* 1 = a signal for t, or for the process, is kept until t unblocks it. */
int chain_held(const struct thread *t);

/*
 * Remove a kept signal for t or for the process, and put it into *info: 1, or 0 if
 * there is none. Call with our signal blocked.
 */
int chain_pop(struct thread *t, siginfo_t *info);

/* Send a signal with this *info to thread tid of our process. */
void chain_deliver(u32 tid, const siginfo_t *info);

/*
 * Send our signal to a thread, so that its sigwait() calls chain_pop(), or its handler
 * calls chain_pass_held(). If a hit is pending there, the kernel drops this signal, but
 * the hit has the same effect.
 */
void chain_nudge(u32 tid);

/* 1 = chain_nudge() has sent this signal. */
int chain_is_nudge(const siginfo_t *info);

#endif
