/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes that cells.c fills: what threads and processors did in steps of time. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_CELLLANES_H
#define ERTOOLS_PRINT_MODEL_VIEWS_CELLLANES_H

#include "print/model/session.h"

/* What a thread was doing. Each state is drawn as a lane, thread by thread. */
enum lane_state {
    LANE_USER,
    LANE_SYSTEM,
    LANE_WAIT, /* waiting for a processor */
    LANE_LOCK,
    LANE_IO,
    LANE_SLEEP,
    LANE_EVENT,
    LANE_FAULT,
    LANE_STOP,
    LANE_MPI,
    LANE_STATES,
};

/*
 * ns by thread, step and state; a wait is distributed over all steps in which it lies.
 */
struct lanes {
    u64 *ns;
    u32 steps; /* how many; each lasts cells.width << shift ns */
    u32 shift;
};

/* ns by processor and step of lanes: CPU time of the threads that ran on it. */
struct cpulanes {
    u64 *ns; /* NULL: processes count time from different moments */
    u32 count; /* number of processors; higher-numbered ones are left out */
};

/*
 * Make a lane for each of `threads` threads. Also make lanes for processors, if all
 * processes count time from the same moment. 0 or -ENOMEM; the caller frees the
 * members `ns` in either case.
 */
int celllanes_open(const struct session *session, u32 threads, struct lanes *lanes,
                   struct cpulanes *cpus);

/*
 * The enum lane_state whose time a metric is; -1 = none. wall: the clock records waits,
 * too, so metrics of traced waits give -1, as their time would count twice.
 */
int celllanes_state(u32 metric, bool wall);

#endif
