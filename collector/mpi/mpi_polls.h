/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polls (calls that test for completion and find nothing) may come in millions. A run
 * of equal polls becomes one record, which has their number. A thread's runs are
 * recorded when it does anything else in MPI, when it ends, and at the first poll that
 * comes some milliseconds after the runs began; so the last milliseconds are lost if
 * the process is killed. Normal context of the thread whose runs they are: within
 * mpi_trace_enter() and mpi_trace_leave(), or at its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_POLLS_H
#define ERTOOLS_COLLECTOR_MPI_MPI_POLLS_H

#include "share/record.h"

struct mpi_call;

enum { MPI_POLLS = 32 }; /* simultaneous runs of a thread: a power of two */

/* A run, in ticks. */
struct mpi_run {
    struct rec_mpi r; /* the calls' record; took: the time of all of them */
    u64 last;         /* the end of the last call; 0 = this place is free */
};

/* The runs of a thread that are not recorded yet: a hash table. */
struct mpi_polls {
    struct mpi_run run[MPI_POLLS];
    u64 first; /* the end of the first call in all runs */
    u32 runs;
    u32 pid; /* the process to which they belong */
};

/*
 * Add the poll c->r, which found nothing, to the thread's runs. 1 = it is counted in a
 * run; 0 = record it by itself.
 */
int mpi_polls_add(struct mpi_call *c, struct mpi_polls *p);

/*
 * Record the runs; p may be NULL. Call before anything else of the thread is recorded,
 * or happens.
 */
void mpi_polls_flush(struct mpi_call *c, struct mpi_polls *p);

#endif
