/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sample points of a recorded process: what it has used, and what its counters have
 * counted. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_SAMPLEPOINT_H
#define ERTOOLS_LAUNCH_SAMPLEPOINT_H

#include "collector/session/session.h"

/*
 * Take a sample point of a process that runs, and record its counters. Does nothing if
 * the process has ended or runs another program.
 */
void samplepoint_take(struct recording *s, enum er_cause cause);

/* The same under a name, which may be NULL. */
void samplepoint_take_named(struct recording *s, enum er_cause cause, const char *name);

/* Record what the process's counters (all of -h but probes) have counted so far. */
void samplepoint_totals(struct recording *s);

#endif
