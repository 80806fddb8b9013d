/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that wait for each other for ever. mpi-hang circle: each receives from the next
 * before it sends. mpi-hang barrier: all but the last one come to a barrier, and the
 * last one sleeps. mpi-hang waitall: the first waits for messages of the second and of
 * the third, and only the second sends; the others wait for the first. Each rank R
 * makes a file there.R before its last call.
 */
/* build: name=mpich cc=mpicc.mpich -O1 -g -Wno-stringop-overflow */
/* build: name=openmpi cc=mpicc.openmpi -O1 -g */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, word;

static void
tell(void)
{
    char name[32];

    snprintf(name, sizeof(name), "there.%d", rank);
    close(open(name, O_WRONLY | O_CREAT, 0600));
}

static __attribute__((noinline)) void
circle(void)
{
    tell();
    MPI_Recv(&word, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD);
}

static __attribute__((noinline)) void
barrier(void)
{
    tell();
    while (rank == size - 1)
        sleep(1);
    MPI_Barrier(MPI_COMM_WORLD);
}

static __attribute__((noinline)) void
wait_all(void)
{
    MPI_Request r[2];
    int in[2];

    tell();
    if (rank == 1)
        MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank) {
        MPI_Recv(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(&in[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

int
main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(how, "circle"))
        circle();
    if (!strcmp(how, "barrier"))
        barrier();
    if (!strcmp(how, "waitall"))
        wait_all();
    MPI_Finalize();
    return 0;
}
