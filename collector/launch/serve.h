/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What collect does while the target runs: nothing, until the target wants something, a
 * time has come or the target has ended. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_SERVE_H
#define ERTOOLS_LAUNCH_SERVE_H

#include <signal.h>
#include <sys/resource.h>

#include "collector/launch/session.h"

/*
 * Serve until the target is a zombie, which is not reaped. Fills how it ended and what
 * it used (children that it waited for included). Signals are served (signals.h).
 */
void serve(struct session *s, siginfo_t *ended, struct rusage *rusage);

#endif
