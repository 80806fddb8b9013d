/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect -P: one run that attaches to a running process and detaches at its end.
 * Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_ATTACHED_H
#define ERTOOLS_LAUNCH_ATTACHED_H

#include "collector/session/session.h"

/* Record request->pid. Returns the exit status, after a message if it failed. */
int attached_run(const struct request *request);

/*
 * Serve a process that is not a child of ours until it ends, or collect is asked to
 * end. Then finish and archive its experiment. Returns 0.
 */
int attached_attend(struct recording *s);

/* If root records another user's process: give the files of s to that user. */
void attached_hand_over(const struct recording *s);

#endif
