/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiment groups: text files that name experiments. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_GROUP_H
#define ERTOOLS_LAUNCH_GROUP_H

#include "collector/session/session.h"

/*
 * Can the group file of -g be written to? Only checks. Returns 0 (also without -g), or
 * an exit status after a message.
 */
int group_check(const struct request *request);

/* Add the experiment to the group of -g, if any; when that fails, say so. */
void group_add(const struct recording *s);

#endif
