/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's handlers of other signals than ours. The kernel is told of them what
 * lets them be sampled, and keeps them off our alternate stacks; the target hears what
 * it said. Normal context and the target's handlers; no locks.
 */
#ifndef ERTOOLS_COLLECTOR_SIGNALS_HANDLER_H
#define ERTOOLS_COLLECTOR_SIGNALS_HANDLER_H

#include <signal.h>

/* sigaction() for a signal that is not taken; with its result and errno. */
int handler_action(int signo, const struct sigaction *act, struct sigaction *old);

/* What the kernel had as signo's handler, as the target said it. */
sighandler_t handler_said(int signo, sighandler_t had);

/* The target gave signo another action, with an empty mask and no alternate stack. */
void handler_forget(int signo);

/* The target comes to handle our signal: from now on other handlers' masks count. */
void handler_mind_masks(void);

/* It has an alternate stack in some thread: from now on handlers go there. */
void handler_mind_stacks(void);

/* It has Go's runtime, whose handlers must go there: see thread_alt_shared. */
void handler_share_stacks(void);

/* In a forked child: the kernel shall have the handlers as the target gave them. */
void handler_give_back(void);

#endif
