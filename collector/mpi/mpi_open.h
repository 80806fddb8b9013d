/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each call is written into the thread's chunk before the library is called, so that a
 * reader knows it even if the process is killed inside the call. Each chunk has one
 * record `open`, whose fields have fixed offsets and are overwritten. Normal context,
 * within mpi_trace_enter() and mpi_trace_leave().
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_OPEN_H
#define ERTOOLS_COLLECTOR_MPI_MPI_OPEN_H

struct mpi_call;

/*
 * Write that the call begins; c->node is its stack, or 0. If there is room for that,
 * sets c->since, and c->opened to 1.
 */
void mpi_open_begin(struct mpi_call *c);

/* Write that the call has returned. */
void mpi_open_end(struct mpi_call *c);

#endif
