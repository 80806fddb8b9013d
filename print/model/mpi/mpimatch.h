/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches sends with receives, and the ranks' parts of collective calls with each
 * other. Messages with the same origin, destination, communicator and tag match in the
 * order in which their sends and receives were begun. Memory grows with the number of
 * messages on their way. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIMATCH_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIMATCH_H

#include "print/model/mpi/mpimatched.h"

/* Match all events. *unmatched gets the numbers; it may be NULL. 0 or -ENOMEM. */
int mpimatch_run(struct session *session, const struct ranks *ranks,
                 const struct mpi_clocks *clocks, const struct mpi_match_sink *sink,
                 struct mpi_unmatched *unmatched);

#endif
