/* SPDX-License-Identifier: Apache-2.0 */
/*
 * At the end of a process whose heap is traced: which of the blocks that it leaves are
 * lost. The process waits meanwhile (preload/hold.c); the work is done on a thread of
 * its own, so that others are served. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_HEAPSCAN_H
#define ERTOOLS_LAUNCH_HEAPSCAN_H

#include "collector/launch/session.h"

/* Once, before any other: what memory is ours, of the founder and its descendants. */
void heapscan_start(const struct session *founder);

/* Why nothing is known, for heapscan_end(). */
#define heapscan_killed "the process was killed before it could be looked at"
#define heapscan_exec "the process became another program"
#define heapscan_unseen "the process ended past the collector"

/* A process asked for it (WANT_SCAN). */
void heapscan_serve(struct session *s);

/* Wait until a search that is under way has its result. */
void heapscan_wait(struct session *s);

/*
 * The process has ended, or become another program: wait until the result is written.
 * Where there is none, tell the log why. why: that.
 */
void heapscan_end(struct session *s, const char *why);

#endif
