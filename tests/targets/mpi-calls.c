/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MPI programs with known truths (mpi_truth.h), one for each word on the command line;
 * for 2 ranks or more, an even number.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g -Wno-stringop-overflow */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include <mpi.h>
#include <unistd.h>

#include "mpi_truth.h"

static int rank, size, left, right;
static int buf[4096], other[4096];

/* Blocking, non-blocking, with wildcards and to nobody, in all ways of sending. */
static void
ring(void)
{
    MPI_Status status;
    int room = 4096, flag = 0;
    static char space[65536];
    void *detached;

    CALL(Buffer_attach, 0, 0, (space, sizeof(space)));
    for (int i = 1; i <= 3; i++) {
        int n = 10 * (rank + 1) + i, from = 10 * (left + 1) + i;

        if (rank % 2 == 0) {
            CALL(Send, 4 * n, 0, (buf, n, MPI_INT, right, i, MPI_COMM_WORLD));
            CALL(Recv, 0, 4 * from,
                 (other, room, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &status));
        } else {
            CALL(Recv, 0, 4 * from, (other, room, MPI_INT, left, MPI_ANY_TAG,
                                     MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CALL(Ssend, 4 * n, 0, (buf, n, MPI_INT, right, i, MPI_COMM_WORLD));
        }
        truth_sent(right, 4 * n);
        truth_got(left, 4 * from);
    }
    CALL(Bsend, 8, 0, (buf, 1, MPI_DOUBLE, right, 20, MPI_COMM_WORLD));
    truth_sent(right, 8);
    CALL(Probe, 0, 0, (left, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CALL(Iprobe, 0, 0, (MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    if (!flag)
        abort();
    CALL(Recv, 0, 8, (other, 1, MPI_DOUBLE, left, 20, MPI_COMM_WORLD, &status));
    truth_got(left, 8);
    CALL(Buffer_detach, 0, 0, (&detached, &room));
    CALL(Send, 0, 0, (buf, 5, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD));
    CALL(Recv, 0, 0, (buf, 5, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status));
}

/* Neighbours on a grid that has its own ranks; requests in all forms of waiting. */
static void
halo(void)
{
    int dims[2] = { 0, 0 }, periods[2] = { 1, 1 }, src, dst, index, n = 0, flag = 0;
    int indices[4];
    MPI_Comm grid, copy;
    MPI_Request r[4];
    MPI_Status status[4];
    MPI_Message message;
    int grid_rank, ranks[4], world[4];
    MPI_Group g, w;

    CALL(Dims_create, 0, 0, (size, 2, dims));
    CALL(Cart_create, 0, 0, (MPI_COMM_WORLD, 2, dims, periods, 1, &grid));
    CALL(Comm_split, 0, 0, (grid, 0, size - rank, &copy)); /* in the other order */
    CALL(Comm_free, 0, 0, (&copy));
    CALL(Comm_rank, 0, 0, (grid, &grid_rank));
    CALL(Cart_shift, 0, 0, (grid, 0, 1, &src, &dst));
    CALL(Comm_group, 0, 0, (grid, &g));
    CALL(Comm_group, 0, 0, (MPI_COMM_WORLD, &w));
    ranks[0] = src;
    ranks[1] = dst;
    CALL(Group_translate_ranks, 0, 0, (g, 2, ranks, w, world));
    CALL(Group_free, 0, 0, (&g));
    CALL(Group_free, 0, 0, (&w));
    for (int i = 0; i < 4; i++) {
        CALL(Irecv, 0, 40, (other, 100, MPI_INT, src, 1, grid, &r[0]));
        CALL(Irecv, 0, 80, (other + 100, 100, MPI_INT, src, 2, grid, &r[1]));
        CALL(Isend, 80, 0, (buf, 20, MPI_INT, dst, 2, grid, &r[2]));
        CALL(Issend, 40, 0, (buf, 10, MPI_INT, dst, 1, grid, &r[3]));
        truth_sent(world[1], 80);
        truth_sent(world[1], 40);
        truth_got(world[0], 40);
        truth_got(world[0], 80);
        if (i == 0)
            CALL(Waitall, 0, 0, (4, r, MPI_STATUSES_IGNORE));
        for (int k = 0; i == 1 && k < 4; k++)
            CALL(Waitany, 0, 0, (4, r, &index, k ? status : MPI_STATUS_IGNORE));
        for (int k = 0; i == 2 && k < 4; k += n)
            CALL(Waitsome, 0, 0, (4, r, &n, indices, status));
        for (int k = 0; i == 3 && k < 4; k++)
            CALL(Wait, 0, 0, (&r[k], MPI_STATUS_IGNORE));
    }
    CALL(Sendrecv, 12, 28, (buf, 3, MPI_INT, dst, 5, other, 7, MPI_INT, src, 5, grid,
                            MPI_STATUS_IGNORE));
    truth_more("MPI_Sendrecv", 0, -16); /* three came */
    truth_sent(world[1], 12);
    truth_got(world[0], 12);
    CALL(Sendrecv_replace, 4, 4,
         (buf, 1, MPI_INT, dst, 6, src, 6, grid, MPI_STATUS_IGNORE));
    truth_sent(world[1], 4);
    truth_got(world[0], 4);
    CALL(Isend, 4, 0, (buf, 1, MPI_INT, dst, 8, grid, &r[0]));
    CALL(Mprobe, 0, 0, (src, 8, grid, &message, status));
    CALL(Mrecv, 0, 4, (other, 9, MPI_INT, &message, MPI_STATUS_IGNORE));
    while (!flag)
        CALL(Test, 0, 0, (&r[0], &flag, MPI_STATUS_IGNORE));
    truth_sent(world[1], 4);
    truth_got(world[0], 4);
    CALL(Neighbor_allgather, 2 * 4 * 3, 4 * 4 * 3,
         (buf, 3, MPI_INT, other, 3, MPI_INT, grid));
    truth_more("MPI_Neighbor_allgather", 2 * 4 * 3, 0);
    CALL(Comm_set_name, 0, 0, (grid, "the grid"));
    CALL(Comm_free, 0, 0, (&grid));
}

/* One rank comes late. */
static void
imbalance(void)
{
    double in[8] = { 0 }, out[8];

    if (rank == size - 1)
        usleep(20000);
    CALL(Barrier, 0, 0, (MPI_COMM_WORLD));
    for (int i = 0; i < 3; i++) {
        if (rank == 1)
            usleep(10000);
        CALL(Reduce, 64, rank == 2 % size ? 64 : 0,
             (in, out, 8, MPI_DOUBLE, MPI_SUM, 2 % size, MPI_COMM_WORLD));
    }
}

static void
collectives(void)
{
    int counts[64], at[64], mine[64], sum = 0;
    MPI_Request r[3];
    MPI_Comm half, copy;
    MPI_Datatype types[64];

    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        at[i] = sum;
        mine[i] = rank + 1;
        sum += i + 1;
        types[i] = MPI_INT;
    }
    CALL(Bcast, rank ? 0 : 400, rank ? 400 : 0, (buf, 100, MPI_INT, 0, MPI_COMM_WORLD));
    CALL(Gather, 8, rank == 1 ? 8 * size : 0,
         (buf, 2, MPI_INT, other, 2, MPI_INT, 1, MPI_COMM_WORLD));
    CALL(Gatherv, 4 * (rank + 1), rank ? 0 : 4 * sum,
         (buf, rank + 1, MPI_INT, other, counts, at, MPI_INT, 0, MPI_COMM_WORLD));
    CALL(Scatter, rank ? 0 : 12 * size, 12,
         (buf, 3, MPI_INT, other, 3, MPI_INT, 0, MPI_COMM_WORLD));
    CALL(Scatterv, rank ? 0 : 4 * sum, 4 * (rank + 1),
         (buf, counts, at, MPI_INT, other, rank + 1, MPI_INT, 0, MPI_COMM_WORLD));
    CALL(Allgather, 4, 4 * size,
         (MPI_IN_PLACE, 0, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD));
    CALL(Allgatherv, 4 * (rank + 1), 4 * sum,
         (buf, rank + 1, MPI_INT, other, counts, at, MPI_INT, MPI_COMM_WORLD));
    CALL(Alltoall, 4 * size, 4 * size,
         (buf, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        mine[i] = rank + 1;
    CALL(Alltoallv, 4 * sum, 4 * size * (rank + 1),
         (buf, counts, at, MPI_INT, other, mine, at, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        at[i] *= 4;
    CALL(Alltoallw, 4 * sum, 4 * size * (rank + 1),
         (buf, counts, at, types, other, mine, at, types, MPI_COMM_WORLD));
    CALL(Allreduce, 16, 16,
         (MPI_IN_PLACE, other, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CALL(Reduce_scatter, 4 * sum, 4 * (rank + 1),
         (buf, other, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CALL(Reduce_scatter_block, 8 * size, 8,
         (buf, other, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CALL(Scan, 4, 4, (buf, other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CALL(Exscan, 4, rank ? 4 : 0, (buf, other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CALL(Comm_split, 0, 0, (MPI_COMM_WORLD, rank % 2, -rank, &half));
    CALL(Comm_idup, 0, 0, (half, &copy, r));
    CALL(Wait, 0, 0, (r, MPI_STATUS_IGNORE));
    CALL(Ibarrier, 0, 0, (copy, &r[0]));
    CALL(Iallreduce, 8, 8, (buf, other, 1, MPI_DOUBLE, MPI_SUM, copy, &r[1]));
    CALL(Ibcast, rank ? 0 : 20, rank ? 20 : 0,
         (other + 99, 5, MPI_INT, 0, MPI_COMM_WORLD, &r[2]));
    CALL(Waitall, 0, 0, (3, r, MPI_STATUSES_IGNORE));
    CALL(Comm_free, 0, 0, (&copy));
    CALL(Comm_free, 0, 0, (&half));
}

static void
persistent(void)
{
    MPI_Request r[2];

    CALL(Send_init, 0, 0, (buf, 6, MPI_INT, right, 3, MPI_COMM_WORLD, &r[0]));
    CALL(Recv_init, 0, 24 * 5, (other, 10, MPI_INT, left, 3, MPI_COMM_WORLD, &r[1]));
    for (int i = 0; i < 5; i++) {
        if (i < 2) {
            CALL(Startall, 24, 0, (2, r));
        } else {
            CALL(Start, 0, 0, (&r[1]));
            CALL(Start, 24, 0, (&r[0]));
        }
        CALL(Waitall, 0, 0, (2, r, MPI_STATUSES_IGNORE));
        truth_sent(right, 24);
        truth_got(left, 24);
    }
    CALL(Request_free, 0, 0, (&r[0]));
    CALL(Request_free, 0, 0, (&r[1]));
}

static void
onesided(void)
{
    int *base, one = 1, old;
    MPI_Win win;

    CALL(Win_allocate, 0, 0,
         (1024, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    CALL(Win_fence, 0, 0, (0, win));
    CALL(Put, 40, 0, (buf, 10, MPI_INT, right, 0, 10, MPI_INT, win));
    truth_sent(right, 40);
    CALL(Win_fence, 0, 0, (0, win));
    CALL(Get, 0, 80, (other, 20, MPI_INT, left, 0, 20, MPI_INT, win));
    truth_got(left, 80);
    CALL(Win_fence, 0, 0, (0, win));
    CALL(Win_lock, 0, 0, (MPI_LOCK_SHARED, 0, 0, win));
    CALL(Accumulate, 4, 0, (&one, 1, MPI_INT, 0, 100, 1, MPI_INT, MPI_SUM, win));
    truth_sent(0, 4);
    CALL(Win_flush, 0, 0, (0, win));
    CALL(Fetch_and_op, 4, 4, (&one, &old, MPI_INT, 0, 100, MPI_SUM, win));
    truth_sent(0, 4);
    truth_got(0, 4);
    CALL(Win_unlock, 0, 0, (0, win));
    CALL(Win_free, 0, 0, (&win));
}

static void
files(void)
{
    MPI_File f;
    MPI_Offset at = 400 * rank;
    MPI_Request r;

    CALL(File_open, 0, 0, (MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR,
                           MPI_INFO_NULL, &f));
    CALL(File_write_at_all, 400, 0,
         (f, at, buf, 100, MPI_INT, MPI_STATUS_IGNORE));
    CALL(File_sync, 0, 0, (f));
    CALL(Barrier, 0, 0, (MPI_COMM_WORLD));
    CALL(File_read_at, 0, 400 * size,
         (f, 0, other, 100 * size + 50, MPI_INT, MPI_STATUS_IGNORE));
    CALL(File_iread_at, 0, 40, (f, at, other, 10, MPI_INT, &r));
    CALL(Wait, 0, 0, (&r, MPI_STATUS_IGNORE));
    CALL(File_close, 0, 0, (&f));
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
    { "ring", ring },           { "halo", halo },
    { "imbalance", imbalance }, { "collectives", collectives },
    { "persistent", persistent }, { "onesided", onesided },
    { "files", files },
};

int
main(int argc, char **argv)
{
    CALL(Init, 0, 0, (&argc, &argv));
    CALL(Comm_rank, 0, 0, (MPI_COMM_WORLD, &rank));
    CALL(Comm_size, 0, 0, (MPI_COMM_WORLD, &size));
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (int i = 1; i < argc; i++)
        for (unsigned k = 0; k < sizeof(programs) / sizeof(programs[0]); k++)
            if (!strcmp(argv[i], programs[k].name))
                programs[k].run();
    CALL(Finalize, 0, 0, ());
    truth_write(rank);
    return 0;
}
