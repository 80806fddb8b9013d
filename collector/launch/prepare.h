/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What collect does before a recording begins, whether it starts the target or attaches
 * to it. Normal context.
 */
#ifndef ERTOOLS_LAUNCH_PREPARE_H
#define ERTOOLS_LAUNCH_PREPARE_H

#include "collector/session/session.h"

/* Create the experiment, with empty files. 0, or an exit status after a message. */
int prepare_experiment(struct recording *s);

/* Log which counters were left out. */
void prepare_log_missing(struct recording *s);

/* Raise our limit of descriptors: each descendant's experiment needs eight. */
void prepare_descriptors(void);

#endif
