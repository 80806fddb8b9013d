/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiio.h"

#include <errno.h>
#include <stdlib.h>

#include "print/model/bins.h"
#include "print/model/mpi/mpipaths.h"
#include "print/model/symbols/frames.h"
#include "print/model/symbols/stacks.h"
#include "print/model/pass/tracepass.h"

enum field {
    FIELD_TOOK,
    FIELD_NODE,
};

static const struct trace_wish wish = { "io", { "took", "node" } };

/* Sums of a thread's I/O by stack. */
struct scan {
    struct bins *bins; /* TRACE_WORKERS of them */
    u32 slot;
};

static void
on_row(void *context, const struct trace_row *row)
{
    struct scan *scan = context;
    struct bin_key key = { .node = (u32)trace_get(row, FIELD_NODE) };

    struct trace_share share;

    if (row->slot == scan->slot &&
        tracepass_share(row, trace_get(row, FIELD_TOOK), &share))
        bins_add_part(&scan->bins[row->worker], &key, share.counts, 0, share.took, 0);
}

static int
inside(struct session *session, u32 node, bool *out)
{
    struct stack_frame *frames;
    u32 count;

    *out = false;
    if (frames_of(session, node, &frames, &count) < 0)
        return -ENOMEM;
    for (u32 i = 0; i < count && !*out; i++)
        *out = mpipaths_is_mpi(session, frames[i].func);
    free(frames);
    return 0;
}

static int
sum(struct session *session, u32 experiment, const struct bins *bins, u64 *time)
{
    for (u32 i = 0; i < bins->count; i++) {
        bool mpi;
        u32 node;

        if (stacks_of(session, experiment, bins->bin[i].key.node, &node) < 0 ||
            inside(session, node, &mpi) < 0)
            return -ENOMEM;
        if (!mpi)
            *time += bins->bin[i].time;
    }
    return 0;
}

int
mpiio_outside(struct session *session, u32 experiment, u32 slot, u64 *time)
{
    struct scan scan = { calloc(TRACE_WORKERS, sizeof(*scan.bins)), slot };
    struct trace_sink sink = { &wish, 1, on_row, &scan };
    int ret = scan.bins ? tracepass_run(session, experiment, FILE_iotrace, &sink)
                        : -ENOMEM;
    double rate;

    *time = 0;
    for (u32 i = 0; i < TRACE_WORKERS && scan.bins; i++) {
        if (i)
            bins_merge(&scan.bins[0], &scan.bins[i]);
        if (i)
            bins_free(&scan.bins[i]);
    }
    if (ret == 0 && scan.bins[0].no_memory)
        ret = -ENOMEM;
    if (ret == 0)
        ret = tracescan_rate(session->experiment[experiment], FILE_iotrace, &rate);
    if (ret == 0)
        ret = sum(session, experiment, &scan.bins[0], time);
    if (ret == 0)
        *time = clock_scaled(*time, rate);
    if (scan.bins)
        bins_free(&scan.bins[0]);
    free(scan.bins);
    return ret == -ENOENT ? 0 : ret;
}
