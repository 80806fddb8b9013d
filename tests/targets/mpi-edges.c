/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A halo exchange along a line of ranks that is not closed: those at its ends receive
 * from, and send to, MPI_PROC_NULL. mpi-edges ROUNDS: each with receives and sends that
 * are begun anew, then as many with persistent ones. Writes truth.RANK.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include <mpi.h>
#include <stdlib.h>

#include "mpi_truth.h"

int
main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 10;
    int rank, size, peer[2], in[2], out[2] = { 0, 0 };
    MPI_Request r[4], p[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    peer[0] = rank ? rank - 1 : MPI_PROC_NULL;
    peer[1] = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int k = 0; k < 2; k++) {
        MPI_Recv_init(&in[k], 1, MPI_INT, peer[k], k, MPI_COMM_WORLD, &p[k]);
        MPI_Send_init(&out[k], 1, MPI_INT, peer[k], 1 - k, MPI_COMM_WORLD, &p[2 + k]);
    }
    for (long i = 0; i < rounds; i++) {
        for (int k = 0; k < 2; k++)
            MPI_Irecv(&in[k], 1, MPI_INT, peer[k], k, MPI_COMM_WORLD, &r[k]);
        for (int k = 0; k < 2; k++)
            MPI_Isend(&out[k], 1, MPI_INT, peer[k], 1 - k, MPI_COMM_WORLD, &r[2 + k]);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    }
    for (long i = 0; i < rounds; i++) {
        MPI_Startall(4, p);
        MPI_Waitall(4, p, MPI_STATUSES_IGNORE);
    }
    for (int k = 0; k < 4; k++)
        MPI_Request_free(&p[k]);
    for (int k = 0; k < 2; k++)
        for (long i = 0; i < 2 * rounds && peer[k] != MPI_PROC_NULL; i++) {
            truth_sent(peer[k], sizeof(int));
            truth_got(peer[k], sizeof(int));
        }
    truth_write(rank);
    MPI_Finalize();
    return 0;
}
