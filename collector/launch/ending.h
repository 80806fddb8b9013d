/* SPDX-License-Identifier: Apache-2.0 */
/* How a process ended, or left its program. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_ENDING_H
#define ERTOOLS_LAUNCH_ENDING_H

#include <signal.h>

#include "collector/session/session.h"

/* Describe how a process ended, for the last event of its log. */
void ending_describe(const siginfo_t *ended, char *how, size_t size);

/* Does the log of s say that the collector stopped because the target called exec? */
int ending_left_by_exec(const struct recording *s);

/*
 * If the process of s, which ran `program`, ended its recording by an exec, and it is
 * known why the new program could not be recorded: report that, and return 1. Else 0.
 */
int ending_report_exec(const struct recording *s, const char *program);

/*
 * If the target became a program by exec that is not recorded, log which one, and warn.
 */
void ending_put_exec(const struct recording *s);

#endif
