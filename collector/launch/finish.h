/* SPDX-License-Identifier: Apache-2.0 */
/* The end of an experiment. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_FINISH_H
#define ERTOOLS_LAUNCH_FINISH_H

#include <signal.h>
#include <sys/resource.h>

#include "collector/session/session.h"

/*
 * Call when the target is a zombie: closes its account, writes the last sample point
 * and the end of the XML files, trims the files, and closes the experiment. ended and
 * rusage are from serve().
 */
void finish_experiment(struct recording *s, const siginfo_t *ended,
                       const struct rusage *rusage);

/*
 * If the process of s, which ran `program`, ended its recording by an exec, and the new
 * program could not be recorded: report that, with the reason, and return 1.
 */
int finish_tell_exec(const struct recording *s, const char *program);

/* Describe how a process ended, for the last event of its log. */
void finish_say_how(const siginfo_t *ended, char *how, size_t size);

/* Run er_archive on the finished experiment; warn if that fails. */
void finish_archive(const struct recording *s);

/* Finish for a target that ended earlier: its last descendant has ended (keeper.h). */
void finish_kept(struct recording *s);

/*
 * Finish for a process that collect was attached to. ended: 1 if the process has ended;
 * how: how it ended, or else why collect detached.
 */
void finish_attached(struct recording *s, const char *how, int ended);

#endif
