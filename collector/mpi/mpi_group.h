/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of processes for which calls wait: the neighbours of a communicator with a
 * topology, and the processes that MPI_Win_post() and MPI_Win_start() name. Each group
 * is recorded when it is first used, and again when it has changed. Normal context,
 * between mpi_trace_enter() and its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_GROUP_H
#define ERTOOLS_COLLECTOR_MPI_MPI_GROUP_H

#include "share/types.h"

struct mpi_call;
struct mpi_comm;
struct mpi_neighbors;

/* The neighbours in a communicator; NULL = it has none, or there is no memory. */
const struct mpi_neighbors *mpi_group_neighbors(struct mpi_call *c,
                                                struct mpi_comm *comm);

/*
 * Record the group that the call names for a window, unless it is the last one that was
 * recorded for this call and window.
 */
void mpi_group_of_window(struct mpi_call *c, struct mpi_comm *window, u64 group);

#endif
