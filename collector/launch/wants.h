/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serves what a recorded process asks for on its control page. Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_LAUNCH_WANTS_H
#define ERTOOLS_LAUNCH_WANTS_H

#include "collector/launch/maps.h"
#include "collector/session/session.h"

/*
 * Serve what a process, the founder or another, asked for: bits of enum er_ctl_want.
 * flags: those of its control page that log.xml has reported.
 */
void wants_serve(struct recording *s, struct maps *maps, u32 *flags, u32 wanted);

#endif
