/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target's handlers for signals other than ours. They are installed with changed
 * flags and masks, so that they can be sampled and do not run on our alternate stacks;
 * sigaction() still reports what the target has set. Normal context and the target's
 * handlers; no locks.
 */
#ifndef ERTOOLS_COLLECTOR_SIGNALS_HANDLER_H
#define ERTOOLS_COLLECTOR_SIGNALS_HANDLER_H

#include <signal.h>

/* sigaction() for a signal that is not taken; with its result and errno. */
int handler_action(int signo, const struct sigaction *act, struct sigaction *old);

/* The target's handler for signo, given the one that the kernel had. */
sighandler_t handler_of_target(int signo, sighandler_t had);

/* The target gave signo another action, with an empty mask and no alternate stack. */
void handler_forget(int signo);

/* The target handles our signal: from now on other handlers' masks matter. */
void handler_use_masks(void);

/* The target has an alternate stack in some thread: from now on handlers use it. */
void handler_use_stacks(void);

/* Go's runtime is in the process, whose handlers must use it: see thread_alt_shared. */
void handler_share_stacks(void);

/* In a forked child that is not recorded: install the target's handlers unchanged. */
void handler_give_back(void);

#endif
