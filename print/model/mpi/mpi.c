/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/mpi/mpibridge.h"
#include "print/model/mpi/mpiio.h"
#include "print/model/mpi/mpiscan.h"
#include "print/model/tracescan.h"

/* The experiment whose sums are being added to *mpi. */
struct collecting {
    struct session *session;
    struct experiment *experiment;
    const struct rank *rank; /* NULL = it is none */
    u32 index;
    double rate;
    const struct mpi_bridges *bridges;
    struct mpi *mpi;
};

static struct mpi_sizes
sizes_of(const struct bin *bin)
{
    return (struct mpi_sizes){ bin->count, bin->bytes, bin->first, bin->most };
}

static int
add_call(struct collecting *t, const struct bin *bin)
{
    struct mpi *mpi = t->mpi;
    struct mpi_call call = { .call = bin->key.other, .error = (u32)bin->key.object };

    if (array_room(&mpi->call, &mpi->call_room, mpi->calls + 1, sizeof(call)) < 0)
        return -ENOMEM;
    if (bin->key.what == MPI_BIN_SENT) {
        call.sent = sizes_of(bin);
    } else if (bin->key.what == MPI_BIN_RECEIVED) {
        call.received = sizes_of(bin);
    } else {
        call.count = bin->count;
        call.time = clock_scaled(bin->time, t->rate);
        call.longest = clock_scaled(bin->most, t->rate);
    }
    mpi->call[mpi->calls++] = call;
    return 0;
}

/*
 * Find the rank with which the bin's messages were exchanged; false if it is not known.
 */
static bool
other_of(const struct collecting *t, const struct bin *bin, u32 *world, u32 *rank)
{
    const struct ranks *ranks = &t->mpi->ranks;
    u32 here = (u32)(t->rank - ranks->rank), index;

    *world = t->rank->world;
    *rank = (u32)bin->key.object;
    if (bin->key.object + 1 < MPI_PEER_OUTSIDE)
        return true;
    index = mpibridges_peer(t->bridges, here, bin->key.node, *rank + 1);
    if (index == RANK_NONE)
        return false;
    *world = ranks->rank[index].world;
    *rank = ranks->rank[index].rank;
    return true;
}

static int
add_pair(struct collecting *t, const struct bin *bin)
{
    struct mpi *mpi = t->mpi;
    bool from_here = bin->key.what == MPI_BIN_TO || bin->key.what == MPI_BIN_PUT;
    bool sent = bin->key.what == MPI_BIN_TO, received = bin->key.what == MPI_BIN_FROM;
    struct mpi_sizes sizes = sizes_of(bin);
    struct mpi_pair pair = { 0 };
    u32 world, rank;

    if (!t->rank)
        return 0;
    if (!other_of(t, bin, &world, &rank)) {
        mpisums_add(received ? &mpi->lost_received : &mpi->lost_sent, &sizes);
        return 0;
    }
    if (array_room(&mpi->pair, &mpi->pair_room, mpi->pairs + 1, sizeof(pair)) < 0)
        return -ENOMEM;
    pair.world = from_here ? t->rank->world : world;
    pair.to_world = from_here ? world : t->rank->world;
    pair.from = from_here ? t->rank->rank : rank;
    pair.to = from_here ? rank : t->rank->rank;
    mpi->joins |= pair.world != pair.to_world;
    *(sent ? &pair.sent : received ? &pair.received : &pair.aside) = sizes;
    mpi->pair[mpi->pairs++] = pair;
    return 0;
}

/* The slot of the thread that spent most time in MPI calls; 0 = no thread made any. */
static u32
main_thread(const struct bins *bins)
{
    u64 most = 0;
    u32 slot = 0;

    for (u32 i = 0; i < bins->count; i++) {
        const struct bin *bin = &bins->bin[i];

        if (bin->key.what == MPI_BIN_TIME && bin->time >= most) {
            most = bin->time;
            slot = bin->key.thread;
        }
    }
    return slot;
}

static int
add_share(struct collecting *t, const struct bins *bins)
{
    struct mpi *mpi = t->mpi;
    const struct experiment *e = t->experiment;
    struct mpi_share share = { .rank = t->rank, .cpu = e->user + e->system,
                               .elapsed = experiment_duration(e) };
    u32 slot = main_thread(bins);
    u64 outside;

    if (!t->rank)
        return 0;
    for (u32 i = 0; i < bins->count; i++) {
        const struct bin *bin = &bins->bin[i];

        if (bin->key.what != MPI_BIN_TIME)
            continue;
        share.calls += bin->count;
        if (bin->key.thread == slot)
            *(bin->key.other ? &share.io : &share.mpi) +=
                clock_scaled(bin->time, t->rate);
    }
    if (mpiio_outside(t->session, t->index, slot, &outside) < 0 ||
        array_room(&mpi->share, &mpi->share_room, mpi->shares + 1, sizeof(share)) < 0)
        return -ENOMEM;
    share.io += outside;
    if (share.elapsed > share.mpi + share.io)
        share.compute = share.elapsed - share.mpi - share.io;
    mpi->share[mpi->shares++] = share;
    return 0;
}

static int
add_bins(struct collecting *t, u32 want, const struct bins *bins)
{
    int ret = want & MPI_SHARES ? add_share(t, bins) : 0;

    for (u32 i = 0; i < bins->count && ret == 0; i++) {
        const struct bin *bin = &bins->bin[i];

        if (bin->key.what <= MPI_BIN_RECEIVED)
            ret = add_call(t, bin);
        else if (bin->key.what <= MPI_BIN_GET)
            ret = add_pair(t, bin);
    }
    return ret;
}

static int
add_experiment(struct session *session, u32 index, u32 want,
               const struct mpi_bridges *bridges, struct mpi *mpi)
{
    struct collecting t = { .session = session,
                            .experiment = session->experiment[index], .index = index,
                            .bridges = bridges, .mpi = mpi };
    struct bins bins;
    int ret;

    for (u32 i = 0; i < mpi->ranks.count; i++)
        if (mpi->ranks.rank[i].experiment == index)
            t.rank = &mpi->ranks.rank[i];
    if (tracescan_rate(t.experiment, FILE_mpitrace, &t.rate) < 0)
        return -ENOMEM;
    ret = mpiscan_run(session, index, want, &bins);
    if (ret < 0 && ret != -ENOENT)
        return ret;
    mpi->recorded |= ret == 0 || experiment_is_requested(t.experiment, FILE_mpitrace);
    if (ret == -ENOENT)
        return 0;
    ret = add_bins(&t, want, &bins);
    bins_free(&bins);
    return ret;
}

static int
by_call(const void *a, const void *b)
{
    const struct mpi_call *x = a, *y = b;

    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return x->error < y->error ? -1 : x->error > y->error;
}

static int
by_pair(const void *a, const void *b)
{
    const struct mpi_pair *x = a, *y = b;

    if (x->world != y->world)
        return x->world < y->world ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to_world != y->to_world)
        return x->to_world < y->to_world ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static int
by_rank(const void *a, const void *b)
{
    const struct mpi_share *x = a, *y = b;

    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void
join_calls(struct mpi *mpi)
{
    u32 kept = 0;

    if (mpi->calls)
        qsort(mpi->call, mpi->calls, sizeof(*mpi->call), by_call);
    for (u32 i = 0; i < mpi->calls; i++) {
        const struct mpi_call *more = &mpi->call[i];
        struct mpi_call *to = &mpi->call[kept ? kept - 1 : 0];

        if (!kept || by_call(to, more)) {
            mpi->call[kept++] = *more;
            continue;
        }
        to->count += more->count;
        to->time += more->time;
        if (more->longest > to->longest)
            to->longest = more->longest;
        mpisums_add(&to->sent, &more->sent);
        mpisums_add(&to->received, &more->received);
    }
    mpi->calls = kept;
}

static void
join_pairs(struct mpi *mpi)
{
    u32 kept = 0;

    if (mpi->pairs)
        qsort(mpi->pair, mpi->pairs, sizeof(*mpi->pair), by_pair);
    for (u32 i = 0; i < mpi->pairs; i++) {
        const struct mpi_pair *more = &mpi->pair[i];
        struct mpi_pair *to = &mpi->pair[kept ? kept - 1 : 0];

        if (!kept || by_pair(to, more)) {
            mpi->pair[kept++] = *more;
            continue;
        }
        mpisums_add(&to->sent, &more->sent);
        mpisums_add(&to->received, &more->received);
        mpisums_add(&to->aside, &more->aside);
    }
    mpi->pairs = kept;
}

static int
open_bridges(struct session *session, const struct ranks *ranks,
             struct mpi_bridges **out)
{
    struct mpi_clocks clocks;
    int ret = mpiclocks_open(session, ranks, &clocks);

    if (ret < 0)
        return ret;
    ret = mpibridges_open(session, ranks, &clocks, out);
    mpiclocks_free(&clocks);
    return ret;
}

int
mpi_get(struct session *session, u32 want, struct mpi *out)
{
    struct mpi mpi = { 0 };
    struct mpi_bridges *bridges = NULL;
    int ret = ranks_of(session, &mpi.ranks);

    if (ret == 0 && want & MPI_PAIRS)
        ret = open_bridges(session, &mpi.ranks, &bridges);
    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(session, i, want, bridges, &mpi);
    mpibridges_close(bridges);
    if (ret < 0) {
        mpi_free(&mpi);
        return ret;
    }
    join_calls(&mpi);
    join_pairs(&mpi);
    if (mpi.shares)
        qsort(mpi.share, mpi.shares, sizeof(*mpi.share), by_rank);
    *out = mpi;
    return 0;
}

void
mpi_free(struct mpi *mpi)
{
    ranks_free(&mpi->ranks);
    free(mpi->call);
    free(mpi->pair);
    free(mpi->share);
    memset(mpi, 0, sizeof(*mpi));
}
