/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children that were announced on the founder's control page but have not yet requested
 * an experiment: are they alive? Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_PENDING_CHILDREN_H
#define ERTOOLS_LAUNCH_PENDING_CHILDREN_H

#include "collector/session/session.h"

/*
 * Search /proc for a process that has mapped the control page, but is neither recorded
 * nor the founder's process, nor older than that. 1 if there is one, or if /proc or the
 * founder's process cannot be read; else 0. If we may not read the mappings of a
 * process, it counts if it is in the founder's session.
 */
int pending_children_live(const struct recording *s);

#endif
