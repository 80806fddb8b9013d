/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpievents.h"

#include <string.h>

#include "print/model/mpi/mpibridge.h"

/* Where events with their worlds joined go. */
struct joining {
    struct mpi_bridges *bridges;
    mpi_event_fn *use;
    void *context;
};

/*
 * Replace peers outside the world by indices in ranks.rank, and the keys of
 * communicators that several worlds share by the key that all these worlds have in
 * common.
 */
static void
join_worlds(const struct mpi_bridges *bridges, u32 number, struct mpi_event *e)
{
    u32 *peer[] = { &e->peer, &e->from };
    const struct mpi_bridge *bridge =
        e->what == MPI_EVENT_COMM ? mpibridges_comm(bridges, number, e->comm)
                                  : NULL;

    for (u32 i = 0; i < ER_COUNT(peer); i++) {
        u32 found;

        if (*peer[i] < MPI_PEER_OUTSIDE)
            continue;
        found = mpibridges_peer(bridges, number, e->comm, *peer[i]);
        *peer[i] = found == RANK_NONE ? MPI_PEER_OUTSIDE : MPI_PEER_OUTSIDE + 1 + found;
    }
    if (!bridge)
        return;
    e->apart = !bridge->key;
    if (!bridge->key)
        return;
    e->joins = true;
    e->key = bridge->key;
    e->side = bridge->side;
}

static bool
use(void *context, u32 number, const struct mpi_event *event)
{
    const struct joining *joining = context;
    struct mpi_event e;

    memcpy(&e, event, sizeof(e));
    join_worlds(joining->bridges, number, &e);
    return joining->use(joining->context, number, &e);
}

int
mpievents_run(struct session *session, const struct ranks *ranks,
              const struct mpi_clocks *clocks, mpi_event_fn *fn, void *context)
{
    struct joining joining = { .use = fn, .context = context };
    int ret = mpibridges_open(session, ranks, clocks, &joining.bridges);

    if (ret == 0)
        ret = mpirecords_read(session, ranks, clocks, use, &joining);
    mpibridges_close(joining.bridges);
    return ret;
}

u32
mpievents_peer(const struct ranks *ranks, u32 rank, u32 peer)
{
    const struct rank *found;

    if (peer >= MPI_PEER_OUTSIDE)
        return peer - MPI_PEER_OUTSIDE - 1 < ranks->count ? peer - MPI_PEER_OUTSIDE - 1
                                                          : RANK_NONE;
    found = peer ? ranks_find(ranks, ranks->rank[rank].world, peer - 1) : NULL;
    return found ? (u32)(found - ranks->rank) : RANK_NONE;
}
