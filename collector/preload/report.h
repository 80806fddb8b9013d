/* SPDX-License-Identifier: Apache-2.0 */
/* Log events about the sources of samples and about losses. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_REPORT_H
#define ERTOOLS_COLLECTOR_PRELOAD_REPORT_H

#include "share/types.h"

/*
 * Log which clock triggers this thread's samples, or why none does, if a clock was
 * asked for.
 */
void report_sources(void);

/* Log that some threads got no perf clock, though the first thread had one; and why. */
void report_refusals(void);

/*
 * Log what failed for some threads only, or after recording had started, and how many
 * records were dropped.
 */
void report_losses(void);

/* In a forked child: nothing is logged yet. */
void report_reset(void);

#endif
