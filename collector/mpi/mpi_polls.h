/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that ask whether something has come, and find nothing, come in millions: those
 * in a row that are alike become one record, which says how many they were. Such a run
 * is recorded when the thread does anything else in MPI, when it ends, and a
 * millisecond or so after its first call: so much may be missing of what is killed.
 * Normal context, within mpi_call_enter() and mpi_call_leave().
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_POLLS_H
#define ERTOOLS_COLLECTOR_MPI_MPI_POLLS_H

#include "share/record.h"

struct mpi_call;

enum { MPI_POLLS = 32 }; /* kinds of calls that take turns: a power of two */

/* A run, in ticks. */
struct mpi_run {
    struct rec_mpi r; /* of its calls; took is that of all */
    u64 last;         /* the end of the last one; 0 = there is no such run */
};

/* Those of a thread that are not recorded yet: a hash table. */
struct mpi_polls {
    struct mpi_run run[MPI_POLLS];
    u64 first; /* the end of the first call of all */
    u32 runs;
    u32 pid; /* of the process that they are of */
};

/* c->r found nothing. 1 = it is counted in a run, 0 = record it. */
int mpi_polls_add(struct mpi_call *c);

/* Record the runs: something else is about to be recorded, or to happen. */
void mpi_polls_flush(struct mpi_call *c);

#endif
