/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides before anything is created what will be run, with which library, and where
 * the experiment goes. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_PLAN_H
#define ERTOOLS_LAUNCH_PLAN_H

#include "collector/session/session.h"

/*
 * Fill in program, counters, preflight, library, outside, params and call_rows. Returns
 * 0, or an exit status after having said what is wrong.
 */
int plan_target(struct recording *s);

/*
 * Do only the first step of plan_target(): find the program s->request->target[0].
 * Returns the same.
 */
int plan_program(struct recording *s);

/*
 * As plan_target(), for a process that runs already: s->program is what it runs.
 * beyond: why it is to be sampled from outside, or NULL.
 */
int plan_attached(struct recording *s, const char *beyond);

/*
 * Open the parent directory and set wanted to the name asked for below it (NULL = the
 * default). Returns 0 or an exit status after having said what is wrong.
 */
int plan_place(struct recording *s, const char **wanted);

/*
 * Call when s->name is set: set the paths for messages and for the target. 0 or -errno.
 */
int plan_paths(struct recording *s);

/* What is recorded of the target, for -n and -v; and warnings of the preflight. */
void plan_print(const struct recording *s);

/* Print why an experiment could not be made, for a -errno. Returns the exit status. */
int plan_refused(const struct recording *s, const char *name, int error);

#endif
