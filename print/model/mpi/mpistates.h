/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wait states of MPI programs one by one: which call waited for which rank, from
 * when till when, by the rules of mpiwait.h. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPISTATES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPISTATES_H

#include "print/model/mpi/mpimatch.h"

struct mpi_states_sink {
    /*
     * Gets each call that waited for another rank, roughly in the order of the calls'
     * ends.
     */
    void (*wait)(void *context, const struct mpi_span *span);
    /* Each event, in order; NULL = not wanted. */
    void (*event)(void *context, u32 rank, const struct mpi_event *event);
    void *context;
    bool steps; /* span->since is wanted */
};

/*
 * Find all wait states. *unmatched gets how much was not matched; it may be NULL. 0 or
 * -ENOMEM.
 */
int mpistates_run(struct session *session, const struct ranks *ranks,
                  const struct mpi_clocks *clocks, const struct mpi_states_sink *sink,
                  struct mpi_unmatched *unmatched);

#endif
