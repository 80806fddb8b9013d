/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children that were announced on the founder's control page but have not yet requested
 * an experiment: are they alive? Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_PENDING_CHILDREN_H
#define ERTOOLS_LAUNCH_PENDING_CHILDREN_H

#include "collector/session/session.h"

/*
 * Searches all processes: 1 if one has mapped the control page and is neither the
 * founder's process nor recorded, or if that cannot be found out; else 0.
 */
int pending_children_live(const struct recording *s);

#endif
