/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wait states of MPI programs one by one: which call waited for which rank, from
 * when till when, by the rules of mpiwait.h. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPISTATES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPISTATES_H

#include "print/model/mpi/mpimatched.h"

enum mpi_pattern {
    MPI_LATE_SENDER,    /* a receive begins before its send */
    MPI_LATE_RECEIVER,  /* a blocking send begins before its receive */
    MPI_WAIT_BARRIER,   /* ranks enter a barrier before the last rank */
    MPI_WAIT_ALL,       /* the same in other calls in which all ranks need all */
    MPI_LATE_BROADCAST, /* the others enter before the root */
    MPI_EARLY_REDUCE,   /* the root enters before the last of the others */
    MPI_EARLY_SCAN,     /* a rank enters before the last of the lower ranks */
    MPI_LATE_NEIGHBOR,  /* a rank enters before the last neighbour that sends to it */
    MPI_LATE_POST,      /* access to a window begins before MPI_Win_post() */
    MPI_EARLY_WAIT,     /* MPI_Win_wait() begins before the last MPI_Win_complete() */
    MPI_LOCK_CONTENTION, /* until another rank begins to release its lock of a window */
    MPI_NO_PROGRESS,    /* until the rank whose memory is accessed enters MPI */
    MPI_PATTERNS,
};

struct mpi_states_sink {
    /*
     * Gets each call that waited for another rank, roughly in the order of the calls'
     * ends.
     */
    void (*wait)(void *context, const struct mpi_span *span);
    /* Each event, in order; NULL = not wanted. */
    void (*event)(void *context, u32 rank, const struct mpi_event *event);
    void *context;
    bool steps; /* set span->since */
};

/*
 * Find all wait states. *unmatched gets how much was not matched; it may be NULL. 0 or
 * -ENOMEM.
 */
int mpistates_run(struct session *session, const struct ranks *ranks,
                  const struct mpi_clocks *clocks, const struct mpi_states_sink *sink,
                  struct mpi_unmatched *unmatched);

#endif
