/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts collective calls together from the part that each rank has recorded. For the
 * model's own use; see mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIGATHER_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIGATHER_H

#include "print/model/mpi/mpimatched.h"

/* Identifies a collective call of all ranks of a communicator. */
struct mpi_gather_key {
    u64 comm; /* its key */
    u32 world; /* index in ranks.world; RANK_NONE: several worlds share the key */
    u32 seq; /* number of the collective call on the communicator */
};

struct mpi_gather;

/*
 * The sink gets each call when all ranks have entered it; an incomplete one when too
 * many are kept, or at the end. NULL = no memory.
 */
struct mpi_gather *mpigather_open(const struct mpi_match_sink *sink);

/*
 * Add a rank's part in a call. size: number of ranks in the communicator, both groups
 * together. apart: some of them may be in another world, which has another key for the
 * communicator, so that they never seem to enter. what: all but comm and entries is
 * used. 0 or -ENOMEM.
 */
int mpigather_add(struct mpi_gather *gather, const struct mpi_gather_key *key, u32 size,
                  bool apart, const struct mpi_collective *what,
                  const struct mpi_entry *entry);

/*
 * Pass the remaining calls to the sink, and free all. Returns how many calls were
 * incomplete, ever; calls that are `apart` do not count.
 */
u64 mpigather_close(struct mpi_gather *gather);

/* Get the root's part; NULL = there is none, or it is not known. */
const struct mpi_entry *mpigather_root(const struct mpi_collective *collective);

#endif
