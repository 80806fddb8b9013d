/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main loop of collect while the target runs: it sleeps until the target asks for
 * something, a timer is due, or the target has ended. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_SERVE_H
#define ERTOOLS_LAUNCH_SERVE_H

#include <signal.h>
#include <sys/resource.h>

#include "collector/session/session.h"

/*
 * Serve until the target is a zombie, which is not reaped. Fills how it ended and what
 * it used (children that it waited for included). If s->attach is set, serve until
 * attached_is_over() or the end of -t, and fill neither. Signals must be served
 * (signals.h).
 */
void serve(struct recording *s, siginfo_t *ended, struct rusage *rusage);

/*
 * Serve the descendants of a target that has ended (s->over) until none is left, or a
 * signal asks to leave.
 */
void serve_descendants(struct recording *s);

#endif
