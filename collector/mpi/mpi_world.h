/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This process's place in its MPI world, and the events that tell the launcher of it.
 * Normal context, within mpi_trace_enter() and mpi_trace_leave().
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_WORLD_H
#define ERTOOLS_COLLECTOR_MPI_MPI_WORLD_H

#include "share/types.h"

/* This process's rank and its world's size, once MPI has started. */
extern u32 mpi_world_rank, mpi_world_size;
extern int mpi_world_known;

/*
 * Log the event mpi_begin, if mpiexec has put the rank and the number of ranks into the
 * environment.
 */
void mpi_world_log_begin(void);

/*
 * Log the event mpi_init, and set whether several threads may be in MPI at once.
 * spawned: 1 = MPI_Comm_spawn() made this world; level: the thread level that MPI
 * provides; world: the world's key.
 */
void mpi_world_log_init(int spawned, int level, u64 world);

#endif
