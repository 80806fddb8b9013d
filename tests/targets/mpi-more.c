/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As mpi-calls, for 4 ranks: less common calls, and common ones in less common ways;
 * where an MPI library does not have what a word stands for, the word does nothing.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g -Wno-stringop-overflow */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g -Wno-stringop-overread */
/* link: -lpthread */
#include <mpi.h>
#include <pthread.h>

#include "mpi_truth.h"

enum {
    THREADS = 4,
    TURNS = 50,
};

static int rank, size, left, right;
static int buf[4096], other[4096];

/* Of one function by another's name: calls with counts of 64 bits are the same. */
#define CALL_LARGE(function, sent, received, arguments)        \
    do {                                                       \
        if (MPI_##function##_c arguments != MPI_SUCCESS)       \
            abort();                                           \
        truth_add("MPI_" #function, (sent), (received));       \
    } while (0)

/* Rank 0 sends to all, and nobody to it. */
static void
neighbours(void)
{
    int others[64], n = rank ? 0 : size - 1, from = rank ? 1 : 0, zero = 0;
    int counts[64], at[64];
    MPI_Comm star;
    MPI_Request r;

    for (int i = 0; i < n; i++) {
        others[i] = i + 1;
        counts[i] = i + 1;
        at[i] = 10 * i;
    }
    CALL(Dist_graph_create_adjacent, 0, 0,
         (MPI_COMM_WORLD, from, &zero, MPI_UNWEIGHTED, n, others, MPI_UNWEIGHTED,
          MPI_INFO_NULL, 0, &star));
    CALL(Neighbor_allgather, 12 * n, 12 * from,
         (buf, 3, MPI_INT, other, 3, MPI_INT, star));
    CALL(Neighbor_alltoall, 8 * n, 8 * from,
         (buf, 2, MPI_INT, other, 2, MPI_INT, star));
    CALL(Ineighbor_alltoall, 8 * n, 8 * from,
         (buf, 1, MPI_DOUBLE, other, 1, MPI_DOUBLE, star, &r));
    CALL(Wait, 0, 0, (&r, MPI_STATUS_IGNORE));
    CALL(Neighbor_alltoallv, 4 * n * (n + 1) / 2, 4 * rank,
         (buf, counts, at, MPI_INT, other, &rank, &zero, MPI_INT, star));
    CALL(Comm_free, 0, 0, (&star));
}

/* The even ranks and the odd ones. */
static void
between(void)
{
    int root = rank % 2 ? 0 : rank ? MPI_PROC_NULL : MPI_ROOT;
    MPI_Comm half, inter, all;

    CALL(Comm_split, 0, 0, (MPI_COMM_WORLD, rank % 2, rank, &half));
    CALL(Intercomm_create, 0, 0, (half, 0, MPI_COMM_WORLD, !(rank % 2), 9, &inter));
    CALL(Sendrecv, 20, 20, (buf, 5, MPI_INT, rank / 2, 4, other, 5, MPI_INT, rank / 2,
                            4, inter, MPI_STATUS_IGNORE));
    truth_sent(rank ^ 1, 20);
    truth_got(rank ^ 1, 20);
    CALL(Allreduce, 8, 8, (buf, other, 2, MPI_INT, MPI_SUM, inter));
    CALL(Bcast, rank ? 0 : 28, rank % 2 ? 28 : 0, (buf, 7, MPI_INT, root, inter));
    CALL(Intercomm_merge, 0, 0, (inter, rank % 2, &all));
    CALL(Barrier, 0, 0, (all));
    CALL(Comm_free, 0, 0, (&all));
    CALL(Comm_free, 0, 0, (&inter));
    CALL(Comm_free, 0, 0, (&half));
}

/* Datatypes with gaps, from anybody, to oneself, to nobody. */
static void
messages(void)
{
    MPI_Datatype gaps;
    MPI_Comm copy;
    MPI_Request r[3];

    MPI_Type_vector(4, 2, 5, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    CALL(Comm_dup, 0, 0, (MPI_COMM_WORLD, &copy));
    CALL(Irecv, 0, 96, (other, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, &r[0]));
    CALL(Irecv, 0, 0, (other, 1, MPI_INT, MPI_PROC_NULL, 1, copy, &r[1]));
    CALL(Isend, 96, 0, (buf, 3, gaps, right, 17, copy, &r[2]));
    CALL(Waitall, 0, 0, (3, r, MPI_STATUSES_IGNORE));
    truth_sent(right, 96);
    truth_got(left, 96);
    CALL(Isend, 32, 0, (buf, 1, gaps, rank, 18, copy, &r[0]));
    CALL(Recv, 0, 32, (other, 1, gaps, rank, 18, copy, MPI_STATUS_IGNORE));
    CALL(Wait, 0, 0, (&r[0], MPI_STATUS_IGNORE));
    CALL(Sendrecv, 4, 4, (buf, 1, MPI_INT, 0, 1, other, 1, MPI_INT, 0, 1,
                          MPI_COMM_SELF, MPI_STATUS_IGNORE));
    truth_sent(rank, 32);
    truth_got(rank, 32);
    truth_sent(rank, 4);
    truth_got(rank, 4);
    CALL(Sendrecv, 0, 0, (buf, 1, MPI_INT, MPI_PROC_NULL, 1, other, 1, MPI_INT,
                          MPI_PROC_NULL, 1, copy, MPI_STATUS_IGNORE));
    CALL(Comm_free, 0, 0, (&copy));
    MPI_Type_free(&gaps);
}

/* MPI_IN_PLACE stands for what is there. */
static void
in_place(void)
{
    CALL(Reduce, 8, rank ? 0 : 8, (rank ? buf : MPI_IN_PLACE, other, 1, MPI_DOUBLE,
                                   MPI_SUM, 0, MPI_COMM_WORLD));
    CALL(Gather, 8, rank ? 0 : 8 * size, (rank ? buf : MPI_IN_PLACE, 2, MPI_INT, other,
                                          2, MPI_INT, 0, MPI_COMM_WORLD));
    CALL(Scatter, rank ? 0 : 8 * size, 8, (buf, 2, MPI_INT, rank ? other : MPI_IN_PLACE,
                                           2, MPI_INT, 0, MPI_COMM_WORLD));
    CALL(Alltoall, 4 * size, 4 * size,
         (MPI_IN_PLACE, 0, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD));
    CALL(Scan, 4, 4, (MPI_IN_PLACE, other, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
}

static void *
talk(void *arg)
{
    int tag = (int)(long)arg;

    for (int i = 0; i < TURNS; i++)
        if (rank % 2) {
            MPI_Recv(other + tag, 1, MPI_INT, left, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            MPI_Send(buf, tag + 1, MPI_INT, left, tag, MPI_COMM_WORLD);
        } else {
            MPI_Send(buf, 1, MPI_INT, right, tag, MPI_COMM_WORLD);
            MPI_Recv(other + 8 * tag, tag + 1, MPI_INT, right, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
    return NULL;
}

/* Several at once. */
static void
threads(void)
{
    pthread_t id[THREADS];

    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&id[i], NULL, talk, (void *)i))
            abort();
    for (long i = 0; i < THREADS; i++) {
        long big = 4 * (i + 1);

        pthread_join(id[i], NULL);
        for (int k = 0; k < TURNS; k++) {
            truth_add("MPI_Send", rank % 2 ? big : 4, 0);
            truth_add("MPI_Recv", 0, rank % 2 ? 4 : big);
            truth_sent(rank % 2 ? left : right, rank % 2 ? big : 4);
            truth_got(rank % 2 ? left : right, rank % 2 ? 4 : big);
        }
    }
}

#if MPI_VERSION >= 4

static void
large(void)
{
    MPI_Count counts[64], sum = 0;
    MPI_Aint at[64];

    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        at[i] = sum;
        sum += i + 1;
    }
    if (rank % 2) {
        CALL_LARGE(Recv, 0, 40,
                   (other, 10, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        truth_got(left, 40);
    } else {
        CALL_LARGE(Send, 40, 0, (buf, 10, MPI_INT, right, 1, MPI_COMM_WORLD));
        truth_sent(right, 40);
    }
    CALL_LARGE(Bcast, rank ? 0 : 24, rank ? 24 : 0,
               (buf, 6, MPI_INT, 0, MPI_COMM_WORLD));
    CALL_LARGE(Gatherv, 4 * (rank + 1), rank ? 0 : 4 * sum,
               (buf, rank + 1, MPI_INT, other, counts, at, MPI_INT, 0, MPI_COMM_WORLD));
}

/* Begun three times. */
static void
persistent(void)
{
    MPI_Request r;

    CALL(Allreduce_init, 0, 24,
         (buf, other, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
    for (int i = 0; i < 3; i++) {
        CALL(Start, 8, 0, (&r));
        CALL(Wait, 0, 0, (&r, MPI_STATUS_IGNORE));
    }
    CALL(Request_free, 0, 0, (&r));
}

/* In four parts, twice. */
static void
parts(void)
{
    MPI_Request r[2];

    CALL(Psend_init, 0, 0, (buf, 4, 10, MPI_INT, right, 3, MPI_COMM_WORLD,
                            MPI_INFO_NULL, &r[0]));
    CALL(Precv_init, 0, 320, (other, 4, 10, MPI_INT, left, 3, MPI_COMM_WORLD,
                              MPI_INFO_NULL, &r[1]));
    for (int i = 0; i < 2; i++) {
        CALL(Start, 160, 0, (&r[0]));
        CALL(Start, 0, 0, (&r[1]));
        for (int k = 0; k < 4; k++)
            CALL(Pready, 0, 0, (k, r[0]));
        CALL(Waitall, 0, 0, (2, r, MPI_STATUSES_IGNORE));
        truth_sent(right, 160);
        truth_got(left, 160);
    }
    CALL(Request_free, 0, 0, (&r[0]));
    CALL(Request_free, 0, 0, (&r[1]));
}

#else

static void
large(void)
{
}

static void
persistent(void)
{
}

static void
parts(void)
{
}

#endif

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
    { "neighbours", neighbours }, { "between", between },
    { "messages", messages },     { "in-place", in_place },
    { "threads", threads },       { "large", large },
    { "persistent", persistent }, { "parts", parts },
};

int
main(int argc, char **argv)
{
    int level;

    CALL(Init_thread, 0, 0, (&argc, &argv, MPI_THREAD_MULTIPLE, &level));
    CALL(Comm_rank, 0, 0, (MPI_COMM_WORLD, &rank));
    CALL(Comm_size, 0, 0, (MPI_COMM_WORLD, &size));
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (int i = 1; i < argc; i++)
        for (unsigned k = 0; k < sizeof(programs) / sizeof(programs[0]); k++)
            if (!strcmp(argv[i], programs[k].name) &&
                (programs[k].run != threads || level == MPI_THREAD_MULTIPLE))
                programs[k].run();
    CALL(Finalize, 0, 0, ());
    truth_write(rank);
    return 0;
}
