/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that are waited for, as in mpi-late.c, by neighbours, by the other group of an
 * intercommunicator, and in one-sided communication.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g -Wno-stringop-overflow */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include "mpi_late.h"

static int memory[64]; /* in the window */
static MPI_Win window;

/* On a ring: of 0 and 2, which send to 3 and 1, 2 is late; 0 needs neither. */
static __attribute__((noinline)) void
late_neighbor(void)
{
    int in[2], out[2] = { 0 }, size = 4, round = 1, i;
    MPI_Comm ring;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &round, 0, &ring);
    for (i = 0; i < TIMES; i++) {
        come(2, 3);
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
        leave();
    }
    MPI_Comm_free(&ring);
}

/* Of a directed graph: only 0 needs 3. */
static __attribute__((noinline)) void
late_source(void)
{
    int in[4], out = 0, to = 0, from = 3, ins = rank == 0, outs = rank == 3;
    int weight = 1;
    MPI_Request r;
    MPI_Comm graph;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ins, &from, &weight, outs, &to,
                                   &weight, MPI_INFO_NULL, 0, &graph);
    for (int i = 0; i < TIMES; i++) {
        come(3, 3);
        MPI_Ineighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, graph, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        leave();
    }
    MPI_Comm_free(&graph);
}

static MPI_Comm
between(void)
{
    MPI_Comm half, inter;

    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &inter);
    MPI_Comm_free(&half);
    return inter;
}

/* 2 and 3 need 1; 0 does not. */
static __attribute__((noinline)) void
late_beyond(void)
{
    MPI_Comm inter = between();
    int in = 1, out;

    for (int i = 0; i < TIMES; i++) {
        come(1, 3);
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, inter);
        leave();
    }
    MPI_Comm_free(&inter);
}

/* 0 and 1 need the root, 2; 3 does not. */
static __attribute__((noinline)) void
late_root(void)
{
    MPI_Comm inter = between();
    int word = 1, root = rank < 2 ? 0 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL;

    for (int i = 0; i < TIMES; i++) {
        come(2, 3);
        MPI_Bcast(&word, 1, MPI_INT, root, inter);
        leave();
    }
    MPI_Comm_free(&inter);
}

static MPI_Group
group_of(int a, int b)
{
    int ranks[2] = { a, b };
    MPI_Group world, group;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, b < 0 ? 1 : 2, ranks, &group);
    MPI_Group_free(&world);
    return group;
}

/* 0 reaches 1 and 2, of which 2 is late to let it in. */
static __attribute__((noinline)) void
late_post(void)
{
    MPI_Group origin = group_of(0, -1), targets = group_of(1, 2);
    int word = 1;

    for (int i = 0; i < TIMES; i++) {
        if (rank == 3)
            awaited += 2;
        else
            come(2, 2);
        if (!rank) {
            MPI_Win_start(targets, 0, window);
            MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
            MPI_Put(&word, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
            MPI_Win_complete(window);
        } else if (rank < 3) {
            MPI_Win_post(origin, 0, window);
            MPI_Win_wait(window);
        }
        leave();
    }
    MPI_Group_free(&origin);
    MPI_Group_free(&targets);
}

/* 1 and 2 reach 0, and 2 is late to end it; the last time 0 only asks. */
static __attribute__((noinline)) void
late_complete(void)
{
    MPI_Group target = group_of(0, -1), origins = group_of(1, 2);
    int word = 1, done = 0;

    for (int i = 0; i <= TIMES; i++) {
        if (!rank) {
            MPI_Win_post(origins, 0, window);
        } else if (rank < 3) {
            MPI_Win_start(target, 0, window);
            MPI_Put(&word, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
        }
        come(2, 3);
        if (rank == 1 || rank == 2)
            MPI_Win_complete(window);
        for (done = 0; !rank && i == TIMES && !done;)
            MPI_Win_test(window, &done);
        if (!rank && i < TIMES)
            MPI_Win_wait(window);
        leave();
    }
    MPI_Group_free(&target);
    MPI_Group_free(&origins);
}

/* 0 wants what 1 has locked: memory of 2, which is in MPI all the time. */
static __attribute__((noinline)) void
late_unlock(void)
{
    static volatile int *locked;
    int word = 1;

    locked = (volatile int *)there + 1;
    for (int i = 0; i < TIMES; i++) {
        if (rank == 1) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window);
            MPI_Put(&word, 1, MPI_INT, 2, rank, 1, MPI_INT, window);
            MPI_Win_flush(2, window);
            *locked = i + 1;
        }
        while (!rank && *locked <= i)
            usleep(100);
        come(1, 3);
        if (!rank) {
            MPI_Win_lock(i % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 2, 0, window);
            MPI_Put(&word, 1, MPI_INT, 2, rank, 1, MPI_INT, window);
            MPI_Win_unlock(2, window);
        } else if (rank == 1) {
            MPI_Win_unlock(2, window);
        }
        leave();
    }
}

/*
 * 0 puts something into the memory of 3, which is elsewhere. Whether it must wait for
 * that is the library's affair: it prints how long this took, in ns.
 */
static __attribute__((noinline)) void
late_progress(void)
{
    double waited = 0;
    int word = 1;

    for (int i = 0; i < TIMES; i++) {
        come(3, 3);
        if (!rank) {
            double begin = MPI_Wtime();

            MPI_Win_lock(MPI_LOCK_SHARED, 3, 0, window);
            MPI_Put(&word, 1, MPI_INT, 3, rank, 1, MPI_INT, window);
            MPI_Win_flush(3, window);
            MPI_Win_unlock(3, window);
            waited += MPI_Wtime() - begin;
        }
        leave();
    }
    if (!rank)
        printf("one-sided %.0f\n", waited * 1e9);
}

int
main(int argc, char **argv)
{
    begin(argc, argv);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &window);
    late_neighbor();
    late_source();
    late_beyond();
    late_root();
    late_post();
    late_complete();
    late_unlock();
    late_progress();
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
