/* SPDX-License-Identifier: Apache-2.0 */
/* Log events about the sources of samples and about losses. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_REPORT_H
#define ERTOOLS_COLLECTOR_PRELOAD_REPORT_H

#include "share/types.h"

/* Log what fires this thread's samples, if a clock was asked for. */
void report_sources(void);

/* Log how many threads had no perf clock though the first one had one. */
void report_refusals(void);

/* Log what failed for some threads only, or after the start. */
void report_losses(void);

/* A forked child begins anew. */
void report_reset(void);

#endif
