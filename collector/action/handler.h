/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's actions for signals other than ours. What the target asks for is stored
 * in sig/action.h. The kernel's action follows from that (kernel_action.h), and is set
 * again when a rule changes; sigaction() reports what the target has asked for. Runs in
 * normal context and in the target's handlers; takes no locks except where noted.
 */
#ifndef ERTOOLS_COLLECTOR_ACTION_HANDLER_H
#define ERTOOLS_COLLECTOR_ACTION_HANDLER_H

#include <signal.h>

/*
 * Call when recording begins: from now on our handler for SIGBUS comes before the
 * target's (sig/bus.h).
 */
void handler_start(void);

/*
 * Give the kernel the actions that the target has asked for: recording has ended, or
 * this is a child that is not recorded.
 */
void handler_restore(void);

/* sigaction() for a signal that is not ours, with the same results and errno. */
int handler_action(int signo, const struct sigaction *act, struct sigaction *old);

/* The target's handler for signo. had: the kernel's handler, which may be ours. */
sighandler_t handler_of_target(int signo, sighandler_t had);

/*
 * Forget the action for signo. Call when libc gives the kernel another one, unchanged,
 * as signal() does.
 */
void handler_forget(int signo);

/* Call when hit_signal, or the target's action for it, has changed. */
void handler_update(void);

/*
 * Call when the target has set an alternate stack in some thread: from now on its
 * handlers use it. Call inside a guard; takes guard_action.
 */
void handler_use_stacks(void);

/*
 * Call when Go's runtime is in the process: its handlers must run on an alternate
 * stack; see thread_alt_shared.
 */
void handler_share_stacks(void);

#endif
