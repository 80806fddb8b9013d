/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attaches to a running process and detaches from it: see doc/ARCHITECTURE.md. Normal
 * context of the launcher, one thread. Errors are -errno; if `why` is set, it has the
 * reason as text.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_ATTACH_H
#define ERTOOLS_COLLECTOR_ATTACH_ATTACH_H

#include "collector/attach/attach_state.h"

/* Prepare to attach; nothing changes in the target. */
int attach_open(struct attach *a, pid_t pid);

/* The agent's thread id in our PID namespace; 0 = it has not started, or has ended. */
pid_t attach_agent(struct attach *a);

/* Start the agent in the target and begin the recording; no thread is recorded yet. */
int attach_enter(struct attach *a, const struct attach_order *order);

/*
 * Begin to record each thread that is not recorded yet; known(arg, tid) says which
 * already are. Call it periodically. Returns how many were begun.
 */
int attach_threads(struct attach *a, int (*known)(void *arg, pid_t tid), void *arg);

/* Redirect the target's calls to the hooks of the collector's libraries. */
int attach_redirect(struct attach *a);

/*
 * End the recording of all threads, restore what was changed in the process, and
 * detach. 0; -ESRCH: the process has ended or runs another program; -ETIMEDOUT: our
 * pages must stay mapped in it; or another -errno.
 */
int attach_leave(struct attach *a);

void attach_close(struct attach *a);

#endif
