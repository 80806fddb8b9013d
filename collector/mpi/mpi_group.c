/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_group.h"

#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_mem.h"
#include "collector/mpi/mpi_put.h"

static void
read_cart(struct mpi_comm *comm)
{
    long handle = (long)comm->handle;
    int dims = 0, down, up;
    struct mpi_neighbors *n;

    mpi_real.Cartdim_get(handle, &dims);
    n = mpi_comms_add_neighbors(comm, 2 * dims, 2 * dims);
    for (int i = 0; n && mpi_real.Cart_shift && i < dims; i++) {
        if (mpi_real.Cart_shift(handle, i, 1, &down, &up))
            continue;
        n->at[2 * i] = n->at[2 * (dims + i)] = down;
        n->at[2 * i + 1] = n->at[2 * (dims + i) + 1] = up;
    }
}

static void
read_graph(struct mpi_comm *comm)
{
    long handle = (long)comm->handle;
    struct mpi_neighbors *n;
    int count = 0;

    mpi_real.Graph_neighbors_count(handle, (int)comm->rank, &count);
    n = mpi_comms_add_neighbors(comm, count, count);
    if (!n || !mpi_real.Graph_neighbors ||
        mpi_real.Graph_neighbors(handle, (int)comm->rank, (int)n->in, n->at))
        return;
    for (u32 i = 0; i < n->in; i++)
        n->at[n->in + i] = n->at[i];
}

static void
read_distributed(struct mpi_comm *comm)
{
    long handle = (long)comm->handle;
    int in = 0, out = 0, weighted;
    struct mpi_neighbors *n;
    u64 bytes;
    int *weights;

    mpi_real.Dist_graph_neighbors_count(handle, &in, &out, &weighted);
    n = mpi_comms_add_neighbors(comm, in, out);
    if (!n || !mpi_real.Dist_graph_neighbors)
        return;
    bytes = ((u64)n->in + n->out + 1) * sizeof(int);
    weights = mpi_mem_alloc(bytes);
    if (weights)
        mpi_real.Dist_graph_neighbors(handle, (int)n->in, n->at, weights, (int)n->out,
                                      n->at + n->in, weights + n->in);
    mpi_mem_free(weights, bytes);
}

static void
put(struct mpi_call *c, const struct mpi_comm *comm, u32 call, u32 place, u32 peer)
{
    struct rec_partner r = { .comm = comm->id, .call = call, .place = place,
                             .peer = peer };

    mpi_put_partner(c, &r);
}

const struct mpi_neighbors *
mpi_group_neighbors(struct mpi_call *c, struct mpi_comm *comm)
{
    int kind = 0;

    if (!comm || comm->neighbors)
        return comm ? comm->neighbors : NULL;
    if (mpi_real.Topo_test((long)comm->handle, &kind))
        return NULL;
    if (kind == mpi_abi.cart)
        read_cart(comm);
    else if (kind == mpi_abi.graph)
        read_graph(comm);
    else
        read_distributed(comm);
    if (!comm->neighbors)
        return NULL;
    for (u32 i = 0; i < comm->neighbors->in; i++)
        put(c, comm, 0, i, mpi_comm_peer(comm, comm->neighbors->at[i]));
    return comm->neighbors;
}

void
mpi_group_of_window(struct mpi_call *c, struct mpi_comm *window, u64 group)
{
    u64 *last, hash;
    int size = 0, same;
    u32 *world, n;

    if (!window || c->result)
        return;
    mpi_real.Group_size((long)group, &size);
    n = size > 0 ? (u32)size : 0;
    world = mpi_mem_alloc((n + 1ull) * sizeof(*world));
    if (!world)
        return;
    hash = mpi_comm_translate(group, n, world, &same) | 1; /* 0 = none so far */
    last = &window->groups[c->row->call == MPICALL_Win_start];
    if (hash != *last) {
        *last = hash;
        for (u32 i = 0; i < n; i++)
            put(c, window, c->row->call, i,
                world[i] == MPI_OUTSIDE ? 0 : world[i] + 1);
        if (!n)
            put(c, window, c->row->call, 0, 0);
    }
    mpi_mem_free(world, (n + 1ull) * sizeof(*world));
}
