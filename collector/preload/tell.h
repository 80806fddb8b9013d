/* SPDX-License-Identifier: Apache-2.0 */
/* What log.xml hears of the samples' sources and of losses. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_TELL_H
#define ERTOOLS_COLLECTOR_PRELOAD_TELL_H

#include "share/types.h"

/* What fires this thread's samples, if a clock was asked for. */
void tell_sources(void);

/* Threads that had no perf clock though the first one had. */
void tell_refusals(void);

/* What went wrong for some threads only, or on the way. */
void tell_losses(void);

/* A forked child begins anew. */
void tell_again(void);

#endif
