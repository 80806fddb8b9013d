/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a debugger asks of collect while it records the debugger's process. Normal
 * context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_DEBUGGED_H
#define ERTOOLS_LAUNCH_DEBUGGED_H

#include "collector/launch/session.h"

/* Connect, if the request names a debugger's socket. 0, or said what is wrong. */
int debugged_connect(const struct request *request);

/* The recording has begun: from now on SIGNALS_WAKE says that something was asked. */
void debugged_begin(const struct session *s);

/* Do what was asked since; flags are those of the control page, as log.xml has them. */
void debugged_serve(struct session *s, u32 *flags);

/* 1: it wants the recording to end. */
int debugged_leaves(void);

/* One that has loaded us at its start writes no more: nobody can take us out. */
void debugged_close(const struct session *s);

/* Before and after we leave the process. */
void debugged_part(const struct session *s);
void debugged_end(const struct session *s);

#endif
