/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/celllanes.h"

#include <errno.h>
#include <stdlib.h>

#include "print/model/metric.h"
#include "print/model/views/cellset.h"

enum {
    LANE_CELLS = 1 << 19,    /* steps of all lanes together, at most */
    LANE_STEPS_MIN = 64,
    CPUS_MAX = 1024, /* lanes of processors; those that are never written take no
                        memory */
};

int
celllanes_state(u32 metric, bool wall)
{
    switch (metric) {
    case METRIC_user:
        return LANE_USER;
    case METRIC_system:
        return LANE_SYSTEM;
    case METRIC_wait:
        return LANE_WAIT;
    case METRIC_lock:
        return LANE_LOCK;
    case METRIC_io:
        return LANE_IO;
    case METRIC_sleep:
        return LANE_SLEEP;
    case METRIC_event:
        return LANE_EVENT;
    case METRIC_datapfault:
        return LANE_FAULT;
    case METRIC_stop:
        return LANE_STOP;
    case METRIC_mpitime:
        return wall ? -1 : LANE_MPI;
    case METRIC_sync:
        return wall ? -1 : LANE_LOCK;
    case METRIC_ioreadtime:
    case METRIC_iowritetime:
    case METRIC_ioothertime:
    case METRIC_iowaittime:
        return wall ? -1 : LANE_IO;
    default:
        return -1;
    }
}

static int
open_lanes(struct lanes *lanes, u32 threads)
{
    u32 steps = CELLS_STEPS;

    while (steps > LANE_STEPS_MIN && (u64)steps * threads > LANE_CELLS) {
        lanes->shift++;
        steps = (CELLS_STEPS >> lanes->shift) + 1;
    }
    lanes->steps = steps;
    lanes->ns = calloc((size_t)threads * steps, LANE_STATES * sizeof(*lanes->ns));
    return lanes->ns ? 0 : -ENOMEM;
}

/* Do all processes count time from one moment of one clock? */
static bool
have_one_start(const struct session *session)
{
    u32 i = 1;

    while (i < session->nexperiments && session->experiment[i]->origin_mono ==
                                            session->experiment[0]->origin_mono)
        i++;
    return i >= session->nexperiments;
}

int
celllanes_open(const struct session *session, u32 threads, struct lanes *lanes,
               struct cpulanes *cpus)
{
    if (open_lanes(lanes, threads) < 0)
        return -ENOMEM;
    if (!have_one_start(session))
        return 0;
    cpus->count = CPUS_MAX;
    cpus->ns = calloc((size_t)CPUS_MAX * lanes->steps, sizeof(u64));
    return cpus->ns ? 0 : -ENOMEM;
}
