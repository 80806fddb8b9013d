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
 * Run er_archive on the finished experiment; warn if that fails. For MPI ranks, only
 * the last one does so. Does nothing with -A off, or if the experiment was moved.
 */
void finish_archive(const struct recording *s);

/*
 * Finish for a target that ended earlier, now that its last descendant has ended
 * (keeper.h): remove the control page, and run er_archive.
 */
void finish_kept(struct recording *s);

/*
 * Finish for a process that collect was attached to. ended: 1 if the process has ended;
 * how: how it ended, or else why collect detached.
 */
void finish_attached(struct recording *s, const char *how, int ended);

#endif
