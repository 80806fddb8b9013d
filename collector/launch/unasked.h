/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children that have been announced on the founder's control page and have not asked
 * for an experiment: are they still to come, or dead? Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_UNASKED_H
#define ERTOOLS_LAUNCH_UNASKED_H

#include "collector/launch/session.h"

/*
 * Looks at all processes: 1 if one of them has the control page and is neither the
 * founder's nor one that is recorded, or if that cannot be told; else 0.
 */
int unasked_live(const struct session *s);

#endif
