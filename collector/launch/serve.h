/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What collect does while the target runs: nothing, until the target wants something, a
 * time has come or the target has ended. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_SERVE_H
#define ERTOOLS_LAUNCH_SERVE_H

#include <signal.h>
#include <sys/resource.h>

#include "collector/launch/maps.h"
#include "collector/launch/session.h"

/* What a process asked for by the bits of enum er_ctl_want, the founder or another. */
void serve_wanted(struct session *s, struct maps *maps, u32 *flags, u32 wanted);

/* A sample point of a process that runs. */
void serve_sample(struct session *s, enum er_cause cause);

/* Record what the process's counters have come to. */
void serve_totals(struct session *s);

/*
 * Serve until the target is a zombie, which is not reaped. Fills how it ended and what
 * it used (children that it waited for included). Signals are served (signals.h).
 */
void serve(struct session *s, siginfo_t *ended, struct rusage *rusage);

/*
 * Serve the descendants of a target that has ended (s->over) until none is left, or a
 * signal asks to leave.
 */
void serve_descendants(struct session *s);

#endif
