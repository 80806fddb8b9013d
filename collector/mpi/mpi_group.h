/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups that calls wait for: the neighbours of a communicator with a topology, and
 * the processes that MPI_Win_post() and MPI_Win_start() name. Each group is recorded
 * when it is first used, and again when it is another. Normal context, between
 * mpi_call_enter() and its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_GROUP_H
#define ERTOOLS_COLLECTOR_MPI_MPI_GROUP_H

#include "collector/mpi/mpi_call.h"

/* Ranks in the communicator; what is below 0 is nobody (MPI_PROC_NULL). */
struct mpi_neighbors {
    u32 in, out;
    int at[]; /* those that send to this process, then those that it sends to */
};

/* The communicator's own; NULL = it has none, or no memory. */
const struct mpi_neighbors *mpi_group_neighbors(struct mpi_call *c,
                                                struct mpi_comm *comm);

/* Record the group of a window that the call names. */
void mpi_group_of_window(struct mpi_call *c, struct mpi_comm *window, u64 group);

/* The communicator is no more. */
void mpi_group_forget(struct mpi_comm *comm);

#endif
