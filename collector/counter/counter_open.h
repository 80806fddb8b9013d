/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a counter's descriptor. Normal context of the launcher. */
#ifndef ERTOOLS_COUNTER_COUNTER_OPEN_H
#define ERTOOLS_COUNTER_COUNTER_OPEN_H

#include <sys/types.h>

#include "share/ctl.h"
#include "share/types.h"

/* What a descriptor counts. */
enum counter_span {
    COUNTER_THREAD,    /* one thread */
    COUNTER_FROM_EXEC, /* a process from its next exec on */
    COUNTER_FROM_NOW,  /* a thread from now on, and threads that it creates */
};

/*
 * Open a counter, disabled, for the thread or process pid (0 = the caller). period:
 * events between two hits, 0 = only count. A descriptor or -errno.
 */
int counter_open(const struct ctl_counter *how, pid_t pid, enum counter_span span,
                 u64 period);

/* Why counter_open() failed (-errno) for an event of this type, as a phrase. */
const char *counter_reason(int error, u32 type);

#endif
