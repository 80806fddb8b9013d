/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a hook does around a call of an MPI function:
 *
 *   long a[] = { its parameters };
 *   struct mpi_call c;
 *
 *   on = mpi_trace_enter(&c, &row, a);
 *   result = real(a...);
 *   if (on) mpi_trace_leave(&c, result);
 *
 * Calls that MPI libraries and tools make inside such a call are not the target's:
 * while a hook is active in a thread, further hooks in that thread record nothing. If a
 * jump or an exception has left a hook, its frame is no longer valid, which the next
 * hook notices. Contexts as in trace.h, except signal handlers: MPI may not be called
 * there.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_TRACE_H
#define ERTOOLS_COLLECTOR_MPI_MPI_TRACE_H

#include "collector/mpi/mpi_call.h"

/*
 * Call before the real call, with c->start set. 1: mpi_trace_leave() must follow the
 * real call; 0: the call is not recorded.
 */
int mpi_trace_enter(struct mpi_call *c, const struct mpi_row *row, long *a);

void mpi_trace_leave(struct mpi_call *c, long result);

/* Write the record before the real call: for MPI_Abort(), which does not return. */
void mpi_trace_leave_early(struct mpi_call *c);

/*
 * Call when a recording begins in a process to which collect has attached: MPI may be
 * initialized already.
 */
void mpi_trace_begin_late(void);

#endif
