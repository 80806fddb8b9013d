/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descendants that outlive the target, as daemons do. collect ends with the target; a
 * fork of it, the keeper, continues to serve them until the last one has ended. Normal
 * context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_KEEPER_H
#define ERTOOLS_LAUNCH_KEEPER_H

#include "collector/session/session.h"

/*
 * The target has ended and s->family has members that still run. Fork the keeper, a
 * process in a session of its own, without the descriptors that collect has inherited.
 * Afterwards the keeper serves the family, and at its end calls last(). Returns its
 * pid, or -errno with nothing changed.
 */
int keeper_start(struct recording *s, void (*last)(struct recording *s));

#endif
