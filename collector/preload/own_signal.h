/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signals for which the kernel has our handler instead of the target's: that of
 * hits, and those of -l and -y. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_OWN_SIGNAL_H
#define ERTOOLS_COLLECTOR_PRELOAD_OWN_SIGNAL_H

#include <signal.h>

#include "share/params.h"
#include "share/types.h"

/*
 * Choose the signal of hits: not SIGURG for a Go program, whose runtime sends SIGURG to
 * itself, and would lose one that it sends while ours is pending.
 */
void own_signal_choose(const struct er_params *params);

/*
 * After own_signal_choose(): install our handlers; the target's actions are kept. 0 or
 * -errno.
 */
int own_signal_start(const struct er_params *params);

/* Restore the target's actions for all these signals. */
void own_signal_restore(void);

/* 1 = our handlers are installed; forked children inherit them. */
int own_signal_is_taken(void);

/*
 * The target's action for our signal has changed: copy its SA_RESTART to our handler,
 * so that system calls are restarted, or not, as the target wants. Without a handler of
 * the target, they are restarted.
 */
void own_signal_mirror_restart(void);

/*
 * The target's action for the signal of -l or -y, whose handler in the kernel is ours.
 * It takes effect when recording ends. NULL: signo is neither of these.
 */
struct sigaction *own_signal_kept(int signo);

/*
 * The target wants to read the signals of this set, which contains our signal, from a
 * descriptor (signalfd): use another signal. 0, or -EBUSY: other threads are recorded,
 * or the other signal is used already, by us or an option, or is in the set, too. If
 * our handler cannot be installed for the other signal, this thread has no more hits.
 */
int own_signal_move(const sigset_t *set);

/*
 * Unblock the signal of hits. 1 = it was blocked at the program's start, and must still
 * be blocked in the target's view.
 */
u32 own_signal_unblock(void);

/* Block our signal during a call; returns what own_signal_release() needs. */
u64 own_signal_hold(void);
void own_signal_release(u64 mask);

#endif
