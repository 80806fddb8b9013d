/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of a debugger to collect, which records the process that the debugger
 * traces. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_DEBUGGED_H
#define ERTOOLS_LAUNCH_DEBUGGED_H

#include "collector/session/session.h"

/* Connect, if the request names a debugger's socket. 0, or an exit status. */
int debugged_connect(const struct request *request);

/* The recording has begun: from now on a request of the debugger sets SIGNALS_WAKE. */
void debugged_begin(const struct recording *s);

/* Serve the debugger's requests; flags: the control page's, as logged in log.xml. */
void debugged_serve(struct recording *s, u32 *flags);

/* 1 if the debugger wants the recording to end. */
int debugged_leaves(void);

/*
 * Call at the end of a recording for a debugger, if the collector was loaded at the
 * process's start: the process keeps it, since collect cannot unload it there. Tell the
 * collector to write no more. Does nothing without a debugger.
 */
void debugged_close(const struct recording *s);

/*
 * debugged_part(): call before detaching; if the debugger traces the process, have it
 * answer our requests. debugged_end(): call after detaching; tell the debugger that it
 * is done.
 */
void debugged_part(const struct recording *s);
void debugged_end(const struct recording *s);

#endif
