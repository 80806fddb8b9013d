/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which events count. A filter looks at an event's time and thread while it is decoded;
 * what looks at stacks works on nodes, once each.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_H
#define ERTOOLS_PRINT_MODEL_FILTER_H

#include <stdbool.h>

#include "print/model/session.h"
#include "share/types.h"

struct filter {
    bool timed;
    u64 from; /* ns since the start of each run, [from, to) */
    u64 to;
    bool by_thread;
    u32 experiment; /* index */
    u32 thread;     /* id within it */
};

/*
 * From now on answers speak of the events that pass; NULL = of all. Copied. Residuals
 * and <unattributed> have no moment: a timed filter leaves them out, and one by thread
 * leaves out what is the process's.
 */
int filter_set(struct session *session, const struct filter *filter);

#endif
