/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chain of ranks: each round, each one works, gets a message from the one before it
 * and sends one to the next. Rank 0 is late in each, in one function: all others wait
 * for it, most of them indirectly. How the late one passes the time: with "spin" on the
 * CPU, else asleep.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g -Wno-stringop-overflow */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, LATE = 40000 /* us */ };

static volatile double sink;
static int rank, size, spins;

static __attribute__((noinline)) void
work(void)
{
    for (int i = 0; i < 100000; i++)
        sink = sink * 0.5 + i;
}

static __attribute__((noinline)) void
load(void)
{
    struct timespec begin, now;

    if (!spins) {
        usleep(LATE);
        sink++;
        return;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    do {
        for (int i = 0; i < 10000; i++)
            sink = sink * 0.5 + i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000 +
                 (now.tv_nsec - begin.tv_nsec) / 1000 < LATE);
}

static __attribute__((noinline)) void
pass_on(void)
{
    int word = 0;

    if (rank)
        MPI_Recv(&word, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work();
    if (rank + 1 < size)
        MPI_Send(&word, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
    spins = argc > 1 && !strcmp(argv[1], "spin");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < ROUNDS; i++) {
        work();
        if (!rank)
            load();
        pass_on();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
