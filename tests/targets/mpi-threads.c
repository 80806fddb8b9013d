/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several threads of each rank exchange messages with those of the next, all at once:
 * mpi-threads ROUNDS. Waits are told their number in a register whose upper half is
 * negative, as compilers may leave it. Writes truth.RANK.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
/* link: -lpthread */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "mpi_truth.h"

enum { THREADS = 3, WINDOW = 4 };

static int rank, size;
static long rounds;

typedef int waitall_fn(long count, MPI_Request *requests, MPI_Status *statuses);

/* By a pointer to a function that takes 64 bits: all of them are in the register. */
static void
wait_all(int count, MPI_Request *r)
{
    waitall_fn *volatile wait = (waitall_fn *)(void *)MPI_Waitall;

    if (wait((long)(0xffffffff00000000u | (unsigned)count), r, MPI_STATUSES_IGNORE))
        abort();
}

static void *
exchange(void *arg)
{
    int tag = (int)(intptr_t)arg, to = (rank + 1) % size, in[WINDOW], out[WINDOW];
    int from = (rank + size - 1) % size;

    for (long i = 0; i < rounds; i++) {
        MPI_Request r[2 * WINDOW];

        for (int k = 0; k < WINDOW; k++)
            MPI_Irecv(&in[k], 1, MPI_INT, from, tag, MPI_COMM_WORLD, &r[k]);
        for (int k = 0; k < WINDOW; k++) {
            out[k] = k;
            MPI_Isend(&out[k], 1, MPI_INT, to, tag, MPI_COMM_WORLD, &r[WINDOW + k]);
        }
        wait_all(2 * WINDOW, r);
    }
    return NULL;
}

int
main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    int level;

    rounds = argc > 1 ? atol(argv[1]) : 100;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE)
        return 77;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, exchange, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (long i = 0; i < rounds * THREADS * WINDOW; i++) {
        truth_sent((rank + 1) % size, sizeof(int));
        truth_got((rank + size - 1) % size, sizeof(int));
    }
    truth_write(rank);
    MPI_Finalize();
    return 0;
}
