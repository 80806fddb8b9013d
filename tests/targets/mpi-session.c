/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An MPI program without MPI_Init: its world is a session's process set. The ranks send
 * to each other in a ring, gather, and work in halves. Writes truth.RANK.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "mpi_truth.h"

int
main(void)
{
    int rank, size, in = 0, out = 1, all[64], sum;
    MPI_Session session;
    MPI_Comm comm, half;
    MPI_Group group;

    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session))
        return 1;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                               &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 10; i++) {
        CALL(Sendrecv, 4, 4, (&out, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT,
                              (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE));
        truth_sent((rank + 1) % size, 4);
        truth_got((rank + size - 1) % size, 4);
    }
    CALL(Gather, 4, rank ? 0 : 4 * size, (&out, 1, MPI_INT, all, 1, MPI_INT, 0, comm));
    MPI_Comm_split(comm, rank % 2, rank, &half);
    CALL(Allreduce, 4, 4, (&out, &sum, 1, MPI_INT, MPI_SUM, half));
    MPI_Comm_free(&half);
    MPI_Comm_free(&comm);
    truth_write(rank);
    MPI_Session_finalize(&session);
    return 0;
}
