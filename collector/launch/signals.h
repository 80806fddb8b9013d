/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals of collect. The target gets the dispositions that collect has inherited;
 * signals sent to collect alone are passed on to the target; a child's death wakes the
 * main loop. One thread.
 */
#ifndef ERTOOLS_LAUNCH_SIGNALS_H
#define ERTOOLS_LAUNCH_SIGNALS_H

#include <sys/types.h>

#include "share/types.h"

/*
 * A bit of ctl->want that only the launcher's own handlers set: the main loop then
 * looks for what has changed.
 */
#define SIGNALS_WAKE 0x80000000u

/*
 * Record the inherited dispositions, block all signals, then set our own dispositions.
 */
void signals_set_up(void);

/*
 * Call in the child before its exec: set all dispositions and the mask as they were
 * inherited.
 */
void signals_restore(void);

/*
 * From now on pass signals on to pid, and set SIGNALS_WAKE in *want (NULL = nothing to
 * wake) when a child changes. Unblocks signals.
 */
void signals_serve(pid_t pid, u32 *want);

/*
 * As signals_serve(), for a process that is not our child: nothing is passed on to it.
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT mean detach; signals_leave() returns 1 after one.
 */
void signals_serve_attached(u32 *want);
int signals_leave(void);

/* Pass on no more signals: call before the target is reaped. */
void signals_stop(void);

/*
 * Die as the target did, by the same signal but without a core; returns if it cannot.
 */
void signals_die(int sig);

#endif
