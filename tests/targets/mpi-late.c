/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that are waited for, for 4 ranks: in each function one comes 10 ms after all
 * others that take part, ten times.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g -Wno-stringop-overflow */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include "mpi_late.h"

static __attribute__((noinline)) void
late_sender(void)
{
    int word = 0;

    for (int i = 0; i < TIMES; i++) {
        if (rank > 1) {
            awaited++;
        } else {
            come(0, 1);
            if (rank)
                MPI_Recv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else
                MPI_Send(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        }
        leave();
    }
}

static __attribute__((noinline)) void
late_receiver(void)
{
    int word = 0;

    for (int i = 0; i < TIMES; i++) {
        if (rank < 2) {
            awaited++;
        } else {
            come(3, 1);
            if (rank == 3)
                MPI_Recv(&word, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else
                MPI_Ssend(&word, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
        }
        leave();
    }
}

/* The later of two messages is waited for. */
static __attribute__((noinline)) void
late_halo(void)
{
    int in[2], out = 0, left = (rank + 3) % 4, right = (rank + 1) % 4;
    MPI_Request r[4];

    for (int i = 0; i < TIMES; i++) {
        MPI_Irecv(&in[0], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[1]);
        come(2, 3);
        MPI_Isend(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(&out, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &r[3]);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        leave();
    }
}

/*
 * One call waits for both ways. A small message is on its way at once, whenever its
 * receiver comes: what is waited for is the other's message, though its receive is the
 * last thing that it begins.
 */
static __attribute__((noinline)) void
late_eager(void)
{
    int in, out = 0;
    MPI_Request r[2];

    for (int i = 0; i < TIMES; i++) {
        if (rank > 1) {
            awaited++;
            leave();
            continue;
        }
        come(1, 1);
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &r[0]);
        if (rank)
            usleep(1000);
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        leave();
    }
}

/* A large message waits for its receiver, though the other's has long been there. */
static __attribute__((noinline)) void
late_large(void)
{
    enum { LARGE = 8 << 20 };
    static char large[LARGE];
    int word = 0;
    MPI_Request r[2];

    for (int i = 0; i < TIMES; i++) {
        if (rank > 1) {
            awaited++;
            leave();
            continue;
        }
        if (rank)
            MPI_Isend(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[0]);
        come(1, 1);
        if (rank) {
            MPI_Irecv(large, LARGE, MPI_CHAR, 0, 5, MPI_COMM_WORLD, &r[1]);
        } else {
            MPI_Isend(large, LARGE, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &r[0]);
            MPI_Irecv(&word, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &r[1]);
        }
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        leave();
    }
}

static __attribute__((noinline)) void
late_reduce(void)
{
    int in = 1, out;

    for (int i = 0; i < TIMES; i++) {
        come(1, 3);
        MPI_Reduce(&in, &out, 1, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
        leave();
    }
}

static __attribute__((noinline)) void
late_broadcast(void)
{
    int word = 1;

    for (int i = 0; i < TIMES; i++) {
        come(3, 3);
        MPI_Bcast(&word, 1, MPI_INT, 3, MPI_COMM_WORLD);
        leave();
    }
}

static __attribute__((noinline)) void
late_all(void)
{
    int in = 1, out;

    for (int i = 0; i < TIMES; i++) {
        come(0, 3);
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        leave();
    }
}

/* Asked for before it is received, which takes no time then. */
static __attribute__((noinline)) void
late_probe(void)
{
    MPI_Message message;
    int word = 0;

    for (int i = 0; i < TIMES; i++) {
        if (rank > 1) {
            awaited++;
            leave();
            continue;
        }
        come(0, 1);
        if (!rank)
            MPI_Send(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        else if (i % 2)
            MPI_Mprobe(0, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        else
            MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank && i % 2)
            MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        else if (rank)
            MPI_Recv(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        leave();
    }
}

/* What began it does not wait; what completes it does. */
static __attribute__((noinline)) void
late_begun(void)
{
    int in = 1, out;
    MPI_Request r;

    for (int i = 0; i < TIMES; i++) {
        come(2, 3);
        MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        leave();
    }
}

static __attribute__((noinline)) void
late_file(void)
{
    MPI_File f;

    for (int i = 0; i < TIMES; i++) {
        come(1, 3);
        MPI_File_open(MPI_COMM_WORLD, "late", MPI_MODE_CREATE | MPI_MODE_RDWR,
                      MPI_INFO_NULL, &f);
        MPI_File_close(&f);
        leave();
    }
}

int
main(int argc, char **argv)
{
    begin(argc, argv);
    late_sender();
    late_receiver();
    late_halo();
    late_eager();
    late_large();
    late_reduce();
    late_broadcast();
    late_all();
    late_probe();
    late_begun();
    late_file();
    MPI_Finalize();
    return 0;
}
