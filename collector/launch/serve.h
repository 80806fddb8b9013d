/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main loop of collect while the target runs: it sleeps until the target asks for
 * something, a timer is due, or the target has ended. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_SERVE_H
#define ERTOOLS_LAUNCH_SERVE_H

#include <signal.h>
#include <sys/resource.h>

#include "collector/launch/maps.h"
#include "collector/session/session.h"

/* Serve what a process, the founder or another, asked for: bits of enum er_ctl_want. */
void serve_wanted(struct recording *s, struct maps *maps, u32 *flags, u32 wanted);

/* Take a sample point of a process that runs. */
void serve_sample(struct recording *s, enum er_cause cause);

/* As serve_sample(), under a name, which may be NULL. */
void serve_named_sample(struct recording *s, enum er_cause cause, const char *name);

/* Record the present values of the process's counters. */
void serve_totals(struct recording *s);

/*
 * Serve until the target is a zombie, which is not reaped. Fills how it ended and what
 * it used (children that it waited for included). Signals are served (signals.h).
 */
void serve(struct recording *s, siginfo_t *ended, struct rusage *rusage);

/*
 * Serve the descendants of a target that has ended (s->over) until none is left, or a
 * signal asks to leave.
 */
void serve_descendants(struct recording *s);

#endif
