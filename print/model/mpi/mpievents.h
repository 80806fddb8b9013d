/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MPI records of all ranks, in the order of the common clock, with the ranks and
 * communicators of other worlds found. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIEVENTS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIEVENTS_H

#include "print/model/mpi/mpirecords.h"

/*
 * Get the index in ranks.rank of the rank that an event of `rank` (an index, too) has
 * as `peer`. RANK_NONE: none, or not known.
 */
u32 mpievents_peer(const struct ranks *ranks, u32 rank, u32 peer);

/* Pass all events to use(), until it returns false. 0 or -ENOMEM. */
int mpievents_run(struct session *session, const struct ranks *ranks,
                  const struct mpi_clocks *clocks, mpi_event_fn *use, void *context);

#endif
