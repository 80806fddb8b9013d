/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiwait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/bins.h"
#include "print/model/mpi/mpialign.h"
#include "print/model/mpi/mpistates.h"
#include "print/model/symbols/stacks.h"

/*
 * Add a wait to a bin. The key's object is who << 32 | whom, both indices in
 * ranks.rank; `node` and `other` are their stacks, each an id in the experiment of its
 * rank; `what` is the pattern.
 */
void
mpiwaits_add(void *context, const struct mpi_span *span)
{
    struct bin_key key = { (u64)span->rank << 32 | span->whom, span->node,
                           span->whom_node, span->pattern, 0 };

    if (span->passes)
        bins_add(context, &key, 0, (u64)span->wait, 0);
}

static int
compare(const struct mpi_wait *x, const struct mpi_wait *y)
{
    if (x->pattern != y->pattern)
        return x->pattern < y->pattern ? -1 : 1;
    if (x->who != y->who)
        return x->who < y->who ? -1 : 1;
    if (x->whom != y->whom)
        return x->whom < y->whom ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->whom_node < y->whom_node ? -1 : x->whom_node > y->whom_node;
}

static int
by_all(const void *a, const void *b)
{
    return compare(a, b);
}

static int
by_time(const void *a, const void *b)
{
    const struct mpi_wait *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    return compare(x, y);
}

/*
 * Convert a rank's node id to a node of the session. The node is 0 if there were too
 * many places, so that they were summed up together.
 */
static int
node_of(struct session *session, const struct ranks *ranks, u32 rank, u32 id, u32 *node)
{
    *node = 0;
    if (id == BINS_REST)
        return 0;
    return stacks_of(session, ranks->rank[rank].experiment, id, node);
}

static int
add_wait(struct session *session, const struct ranks *ranks, struct mpi_waits *out,
         const struct bin *bin)
{
    struct mpi_wait *wait = &out->wait[out->count];

    *wait = (struct mpi_wait){
        .pattern = bin->key.what,
        .who = (u32)(bin->key.object >> 32),
        .whom = (u32)bin->key.object,
        .count = bin->count,
        .time = bin->time,
        .longest = bin->most,
    };
    if (node_of(session, ranks, wait->who, bin->key.node, &wait->node) < 0 ||
        node_of(session, ranks, wait->whom, bin->key.other, &wait->whom_node) < 0)
        return -ENOMEM;
    out->count++;
    return 0;
}

/* Merge rows whose nodes turn out to be the same stacks of the session. */
static void
join(struct mpi_waits *out)
{
    u32 kept = 0;

    if (out->count)
        qsort(out->wait, out->count, sizeof(*out->wait), by_all);
    for (u32 i = 0; i < out->count; i++) {
        const struct mpi_wait *more = &out->wait[i];
        struct mpi_wait *to = &out->wait[kept ? kept - 1 : 0];

        if (!kept || compare(to, more)) {
            out->wait[kept++] = *more;
            continue;
        }
        to->count += more->count;
        to->time += more->time;
        if (more->longest > to->longest)
            to->longest = more->longest;
    }
    out->count = kept;
    if (kept)
        qsort(out->wait, kept, sizeof(*out->wait), by_time);
}

static u64
dropped_of(const struct experiment *e)
{
    u64 dropped = 0;

    for (u32 i = 0; i < e->threads.count; i++)
        dropped += e->threads.row[i].trace_dropped[TRACE_mpi];
    return dropped;
}

int
mpiwaits_settle(struct session *session, const struct ranks *ranks, struct bins *bins,
                struct mpi_waits *out)
{
    int ret = bins->no_memory ? -ENOMEM : 0;

    out->wait = calloc((size_t)bins->count + 1, sizeof(*out->wait));
    if (!out->wait)
        ret = -ENOMEM;
    for (u32 i = 0; i < bins->count && ret == 0; i++)
        ret = add_wait(session, ranks, out, &bins->bin[i]);
    bins_free(bins);
    if (ret == 0)
        join(out);
    return ret;
}

static int
find_waits(struct session *session, struct mpi_waits *out)
{
    struct bins bins = { .limit = MPIWAITS_PLACES };
    const struct mpi_states_sink sink = { mpiwaits_add, NULL, &bins, false };
    int ret = mpistates_run(session, &out->ranks, &out->clocks, &sink, &out->unmatched);
    int settled = mpiwaits_settle(session, &out->ranks, &bins, out);

    return ret < 0 ? ret : settled;
}

void
mpiwaits_check_data(struct session *session, const struct ranks *ranks, bool *recorded,
                    u64 *dropped)
{
    struct record_source source;

    *recorded = false;
    *dropped = 0;
    for (u32 i = 0; i < session->nexperiments; i++)
        *recorded |= experiment_is_requested(session->experiment[i], FILE_mpitrace);
    for (u32 i = 0; i < ranks->count; i++) {
        struct experiment *e = session->experiment[ranks->rank[i].experiment];

        *recorded |= experiment_source(e, FILE_mpitrace, &source) == 0;
        *dropped += dropped_of(e);
    }
}

int
mpiwaits_get(struct session *session, struct mpi_waits *out)
{
    struct mpi_waits waits = { 0 };
    int ret = ranks_of(session, &waits.ranks);

    if (ret == 0) {
        mpiwaits_check_data(session, &waits.ranks, &waits.recorded, &waits.dropped);
        ret = mpiclocks_open(session, &waits.ranks, &waits.clocks);
    }
    if (ret == 0)
        ret = mpialign_clocks(session, &waits.ranks, &waits.clocks);
    if (ret == 0)
        ret = find_waits(session, &waits);
    if (ret < 0)
        mpiwaits_free(&waits);
    else
        *out = waits;
    return ret;
}

void
mpiwaits_free(struct mpi_waits *waits)
{
    ranks_free(&waits->ranks);
    mpiclocks_free(&waits->clocks);
    free(waits->wait);
    memset(waits, 0, sizeof(*waits));
}
