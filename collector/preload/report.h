/* SPDX-License-Identifier: Apache-2.0 */
/* Log events about the sources of samples and about losses. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_REPORT_H
#define ERTOOLS_COLLECTOR_PRELOAD_REPORT_H

#include "share/types.h"

/* Log which clock triggers this thread's samples, if a clock was asked for. */
void report_sources(void);

/* Log that some threads got no perf clock, though the first thread had one; and why. */
void report_refusals(void);

/* Log what failed for some threads only, or after recording had started. */
void report_losses(void);

/* In a forked child: nothing is logged yet. */
void report_reset(void);

#endif
