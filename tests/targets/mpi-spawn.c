/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that start more ranks, which are a world of their own: each world passes words
 * around in a ring, ten times among the first ranks and twenty among the others.
 */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include <mpi.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
    MPI_Comm parent, others;
    int rank, size, in, out = 0, rounds;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                       &others, MPI_ERRCODES_IGNORE);
    rounds = parent == MPI_COMM_NULL ? 10 : 20;
    for (int i = 0; i < rounds; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(parent == MPI_COMM_NULL ? others : parent);
    MPI_Comm_disconnect(parent == MPI_COMM_NULL ? &others : &parent);
    MPI_Finalize();
    return 0;
}
