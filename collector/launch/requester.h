/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the process that has made a request. A process in another PID namespace does
 * not know its pid in the launcher's namespace, so its request has the offset of a lock
 * that it holds on the founder's control file (share/ctl.h). Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_LAUNCH_REQUESTER_H
#define ERTOOLS_LAUNCH_REQUESTER_H

#include <sys/types.h>

#include "share/types.h"

/*
 * Acquire the lock by which processes see that the launcher is alive. dir: the
 * founder's directory. Does nothing on a file system without locks.
 */
void requester_start(int dir);

/* In a fork of the launcher: acquire the lock when the launcher has released it. */
void requester_continue(void);

/*
 * The pid, in our PID namespace, of the process that a request's number stands for; 0 =
 * it has gone.
 */
pid_t requester_pid(u32 number);

int requester_has_gone(u32 number);

void requester_stop(void);

#endif
