/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives. For each, the bytes that this rank contributes and the bytes that it
 * receives are recorded. Non-blocking and persistent collectives have the same
 * parameters, and further ones at the end.
 */
#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_group.h"
#include "collector/mpi/mpi_request.h"

static int
is_in_place(const struct mpi_call *c, u32 at)
{
    return (u64)c->a[at] == mpi_abi.in_place;
}

/* The ith of an array of counts. */
static u64
count_in(const struct mpi_call *c, u32 at, u64 i)
{
    long n = c->row->large ? ((const long *)mpi_pointer(c, at))[i]
                           : ((const int *)mpi_pointer(c, at))[i];

    return n > 0 ? (u64)n : 0;
}

static u64
sum_of(const struct mpi_call *c, u32 at, u64 n)
{
    u64 sum = 0;

    for (u64 i = 0; i < n; i++)
        sum += count_in(c, at, i);
    return sum;
}

/* The bytes of n counts at `at`, of one datatype. */
static u64
bytes_of_all(const struct mpi_call *c, u32 at, u32 type_at, u64 n)
{
    u64 sum = sum_of(c, at, n);

    return sum ? sum * mpi_type_bytes(c->a[type_at]) : 0;
}

/* As bytes_of_all(), with a datatype for each count. */
static u64
bytes_of_each(const struct mpi_call *c, u32 at, u32 types_at, u64 n)
{
    u64 sum = 0;

    for (u64 i = 0; i < n; i++) {
        u64 count = count_in(c, at, i);

        if (count)
            sum += count *
                   mpi_type_bytes((long)mpi_handle_in(mpi_pointer(c, types_at), i));
    }
    return sum;
}

static struct mpi_comm *
begin(struct mpi_call *c, u32 comm_at)
{
    struct mpi_comm *comm = mpi_comm_of(c, mpi_handle(c->a[comm_at]));

    mpi_comm_collective(c, comm);
    return comm;
}

static void
conclude(struct mpi_call *c, struct mpi_comm *comm)
{
    if (c->result)
        c->r.sent = c->r.received = 0;
    mpi_request_begun(c, comm, c->row->at, OUTCOME_NONE);
}

enum role {
    ROLE_NONE, /* in an intercommunicator, another rank of the root's group */
    ROLE_ROOT,
    ROLE_OTHER,
};

/* This rank's role. Sets the record's peer to the root. */
static enum role
role_of(struct mpi_call *c, const struct mpi_comm *comm, int root)
{
    if (!comm)
        return ROLE_NONE;
    if (comm->kind == COMM_INTER && root == mpi_abi.root) {
        c->r.peer = mpi_comm_own(comm);
        return ROLE_ROOT;
    }
    if (root < 0)
        return ROLE_NONE;
    c->r.peer = mpi_comm_peer(comm, root);
    return comm->kind == COMM_INTRA && (u32)root == comm->rank ? ROLE_ROOT : ROLE_OTHER;
}

static u64
peers_of(const struct mpi_comm *comm)
{
    return comm ? comm->peers : 0;
}

/* Parameters: (comm) */
static void
barrier(struct mpi_call *c)
{
    conclude(c, begin(c, 0));
}

RECIPE(barrier, NULL, barrier);

/* Parameters: (buf, count, type, root, comm) */
static void
bcast(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 4);
    enum role role = role_of(c, comm, mpi_int(c, 3));

    if (role == ROLE_ROOT)
        c->r.sent = mpi_bytes(c, 1);
    else if (role == ROLE_OTHER)
        c->r.received = mpi_bytes(c, 1);
    conclude(c, comm);
}

RECIPE(bcast, NULL, bcast);

/* Parameters: (buf, count, type, buf, count, type, root, comm) */
static void
gather(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 7);
    enum role role = role_of(c, comm, mpi_int(c, 6));

    if (role == ROLE_ROOT)
        c->r.received = mpi_bytes(c, 4) * peers_of(comm);
    if (role == ROLE_OTHER || (role == ROLE_ROOT && comm->kind == COMM_INTRA))
        c->r.sent = mpi_bytes(c, is_in_place(c, 0) ? 4 : 1);
    conclude(c, comm);
}

RECIPE(gather, NULL, gather);

/* Parameters: (buf, count, type, buf, counts, displacements, type, root, comm) */
static void
gatherv(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 8);
    enum role role = role_of(c, comm, mpi_int(c, 7));

    if (role == ROLE_ROOT)
        c->r.received = bytes_of_all(c, 4, 6, peers_of(comm));
    if (role == ROLE_OTHER || (role == ROLE_ROOT && comm->kind == COMM_INTRA))
        c->r.sent = is_in_place(c, 0)
                        ? count_in(c, 4, comm->rank) * mpi_type_bytes(c->a[6])
                        : mpi_bytes(c, 1);
    conclude(c, comm);
}

RECIPE(gatherv, NULL, gatherv);

/* Parameters: (buf, count, type, buf, count, type, root, comm) */
static void
scatter(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 7);
    enum role role = role_of(c, comm, mpi_int(c, 6));

    if (role == ROLE_ROOT)
        c->r.sent = mpi_bytes(c, 1) * peers_of(comm);
    if (role == ROLE_OTHER || (role == ROLE_ROOT && comm->kind == COMM_INTRA))
        c->r.received = mpi_bytes(c, is_in_place(c, 3) ? 1 : 4);
    conclude(c, comm);
}

RECIPE(scatter, NULL, scatter);

/* Parameters: (buf, counts, displacements, type, buf, count, type, root, comm) */
static void
scatterv(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 8);
    enum role role = role_of(c, comm, mpi_int(c, 7));

    if (role == ROLE_ROOT)
        c->r.sent = bytes_of_all(c, 1, 3, peers_of(comm));
    if (role == ROLE_OTHER || (role == ROLE_ROOT && comm->kind == COMM_INTRA))
        c->r.received = is_in_place(c, 4)
                            ? count_in(c, 1, comm->rank) * mpi_type_bytes(c->a[3])
                            : mpi_bytes(c, 5);
    conclude(c, comm);
}

RECIPE(scatterv, NULL, scatterv);

/* Parameters: (buf, count, type, buf, count, type, comm) */
static void
allgather(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 6);

    c->r.sent = mpi_bytes(c, is_in_place(c, 0) ? 4 : 1);
    c->r.received = mpi_bytes(c, 4) * peers_of(comm);
    conclude(c, comm);
}

RECIPE(allgather, NULL, allgather);

/* Parameters: (buf, count, type, buf, counts, displacements, type, comm) */
static void
allgatherv(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 7);

    c->r.received = bytes_of_all(c, 4, 6, peers_of(comm));
    if (!is_in_place(c, 0))
        c->r.sent = mpi_bytes(c, 1);
    else if (comm)
        c->r.sent = count_in(c, 4, comm->rank) * mpi_type_bytes(c->a[6]);
    conclude(c, comm);
}

RECIPE(allgatherv, NULL, allgatherv);

static void
alltoall(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 6);

    c->r.sent = mpi_bytes(c, is_in_place(c, 0) ? 4 : 1) * peers_of(comm);
    c->r.received = mpi_bytes(c, 4) * peers_of(comm);
    conclude(c, comm);
}

RECIPE(alltoall, NULL, alltoall);

/*
 * Parameters: (buf, counts, displacements, type, buf, counts, displacements, type,
 * comm)
 */
static void
alltoallv(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 8);
    u64 n = peers_of(comm);

    c->r.received = bytes_of_all(c, 5, 7, n);
    c->r.sent = is_in_place(c, 0) ? c->r.received : bytes_of_all(c, 1, 3, n);
    conclude(c, comm);
}

RECIPE(alltoallv, NULL, alltoallv);

static void
alltoallw(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 8);
    u64 n = peers_of(comm);

    c->r.received = bytes_of_each(c, 5, 7, n);
    c->r.sent = is_in_place(c, 0) ? c->r.received : bytes_of_each(c, 1, 3, n);
    conclude(c, comm);
}

RECIPE(alltoallw, NULL, alltoallw);

/* Parameters: (buf, buf, count, type, op, root, comm) */
static void
reduce(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 6);
    enum role role = role_of(c, comm, mpi_int(c, 5));

    if (role == ROLE_ROOT)
        c->r.received = mpi_bytes(c, 2);
    if (role == ROLE_OTHER || (role == ROLE_ROOT && comm->kind == COMM_INTRA))
        c->r.sent = mpi_bytes(c, 2);
    conclude(c, comm);
}

RECIPE(reduce, NULL, reduce);

/* Parameters: (buf, buf, count, type, op, comm) */
static void
allreduce(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 5);

    c->r.sent = c->r.received = mpi_bytes(c, 2);
    conclude(c, comm);
}

RECIPE(allreduce, NULL, allreduce);

/* MPI_Exscan(): the first rank receives nothing. */
static void
exscan(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 5);

    c->r.sent = mpi_bytes(c, 2);
    c->r.received = comm && comm->rank ? c->r.sent : 0;
    conclude(c, comm);
}

RECIPE(exscan, NULL, exscan);

/* Parameters: (buf, buf, counts, type, op, comm) */
static void
reduce_scatter(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 5);

    if (comm) {
        c->r.sent = bytes_of_all(c, 2, 3, comm->size);
        c->r.received = count_in(c, 2, comm->rank) * mpi_type_bytes(c->a[3]);
    }
    conclude(c, comm);
}

RECIPE(reduce_scatter, NULL, reduce_scatter);

/* Parameters: (buf, buf, count, type, op, comm) */
static void
reduce_scatter_block(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 5);

    c->r.received = mpi_bytes(c, 2);
    c->r.sent = comm ? c->r.received * comm->size : 0;
    conclude(c, comm);
}

RECIPE(reduce_scatter_block, NULL, reduce_scatter_block);

/*
 * Either the neighbours that send to this rank, or those to which it sends. A rank < 0
 * (MPI_PROC_NULL) stands for no neighbour, and gets no bytes.
 */
struct neighbors {
    const int *at;
    u32 count;
};

static void
neighbors_of(struct mpi_call *c, struct mpi_comm *comm, struct neighbors *in,
             struct neighbors *out)
{
    const struct mpi_neighbors *n = mpi_group_neighbors(c, comm);

    *in = n ? (struct neighbors){ n->at, n->in } : (struct neighbors){ NULL, 0 };
    *out = n ? (struct neighbors){ n->at + n->in, n->out } : *in;
}

static u64
number_of(const struct neighbors *n)
{
    u64 number = 0;

    for (u32 i = 0; i < n->count; i++)
        number += n->at[i] >= 0;
    return number;
}

static u64
bytes_of_counts(const struct mpi_call *c, u32 at, u32 type_at,
                const struct neighbors *n)
{
    u64 sum = 0;

    for (u32 i = 0; i < n->count; i++)
        sum += n->at[i] >= 0 ? count_in(c, at, i) : 0;
    return sum ? sum * mpi_type_bytes(c->a[type_at]) : 0;
}

static u64
bytes_of_types(const struct mpi_call *c, u32 at, u32 types_at,
               const struct neighbors *n)
{
    u64 sum = 0;

    for (u32 i = 0; i < n->count; i++) {
        u64 count = n->at[i] >= 0 ? count_in(c, at, i) : 0;

        if (count)
            sum += count *
                   mpi_type_bytes((long)mpi_handle_in(mpi_pointer(c, types_at), i));
    }
    return sum;
}

static void
neighbor_allgather(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 6);
    struct neighbors in, out;

    neighbors_of(c, comm, &in, &out);
    c->r.sent = mpi_bytes(c, 1) * number_of(&out);
    c->r.received = mpi_bytes(c, 4) * number_of(&in);
    conclude(c, comm);
}

RECIPE(neighbor_allgather, NULL, neighbor_allgather);

static void
neighbor_allgatherv(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 7);
    struct neighbors in, out;

    neighbors_of(c, comm, &in, &out);
    c->r.sent = mpi_bytes(c, 1) * number_of(&out);
    c->r.received = bytes_of_counts(c, 4, 6, &in);
    conclude(c, comm);
}

RECIPE(neighbor_allgatherv, NULL, neighbor_allgatherv);
RECIPE(neighbor_alltoall, NULL, neighbor_allgather);

static void
neighbor_alltoallv(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 8);
    struct neighbors in, out;

    neighbors_of(c, comm, &in, &out);
    c->r.sent = bytes_of_counts(c, 1, 3, &out);
    c->r.received = bytes_of_counts(c, 5, 7, &in);
    conclude(c, comm);
}

RECIPE(neighbor_alltoallv, NULL, neighbor_alltoallv);

static void
neighbor_alltoallw(struct mpi_call *c)
{
    struct mpi_comm *comm = begin(c, 8);
    struct neighbors in, out;

    neighbors_of(c, comm, &in, &out);
    c->r.sent = bytes_of_types(c, 1, 3, &out);
    c->r.received = bytes_of_types(c, 5, 7, &in);
    conclude(c, comm);
}

RECIPE(neighbor_alltoallw, NULL, neighbor_alltoallw);
