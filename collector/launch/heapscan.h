/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for lost blocks at the end of a process whose heap is traced. The process
 * waits in the meantime (preload/hold.c). The search has a thread of its own, so that
 * the launcher can serve other processes. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_HEAPSCAN_H
#define ERTOOLS_LAUNCH_HEAPSCAN_H

#include "collector/session/session.h"
#include "share/values.h"

/*
 * Call once, before the other functions: set which mappings are the collector's, so
 * that they are not searched.
 */
void heapscan_start(const struct recording *founder);

/* Reasons for heapscan_end(). */
#define heapscan_killed "the process was killed before it could be looked at"
#define heapscan_exec ER_HEAP_EXEC
#define heapscan_unseen "the process ended past the collector"

/* Start the search that a process has asked for (WANT_SCAN). */
void heapscan_serve(struct recording *s);

/* Wait until a search that is under way has written its result. */
void heapscan_wait(struct recording *s);

/*
 * Call when the process has ended, or has become another program: waits until the
 * result is written. If there is no result, logs that, with the reason `why`.
 */
void heapscan_end(struct recording *s, const char *why);

#endif
