/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each rank did from its start to its end, as far as MPI records show it: the
 * calls of the thread that was in MPI most, which of them waited for other ranks, and
 * what was done between calls. Memory grows with the number of calls. For the model's
 * own use.
 *
 * The time between two calls is divided in proportion to the weights of the thread's
 * samples in it; with `collect -p wall`, these include time off the CPU. A time too
 * short to have samples is divided like all times of the rank between calls from the
 * same two places. If samples cover less than an eighth of the time, the remainder is
 * charged to the innermost function from which both calls were made.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPITRACKS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPITRACKS_H

#include "print/model/mpi/mpimatched.h"
#include "print/model/mpi/mpitrack.h"

/*
 * Make the tracks. waits: gets the wait states, too, by mpiwaits_add(); NULL = not
 * wanted. 0 and *out for mpitracks_free(), or -ENOMEM.
 */
int mpitracks_get(struct session *session, const struct ranks *ranks,
                  const struct mpi_clocks *clocks, struct mpi_unmatched *unmatched,
                  struct bins *waits, struct mpi_tracks *out);
void mpitracks_free(struct mpi_tracks *tracks);

#endif
