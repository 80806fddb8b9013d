/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collective calls, put together from each rank's part. For the model's own use; see
 * mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIGATHER_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIGATHER_H

#include "print/model/mpi/mpimatch.h"

/* Which call. */
struct mpi_gather_key {
    u64 comm; /* its key */
    u32 world;
    u32 seq;
};

struct mpi_gather;

/* NULL = no memory. The sink gets each call when no further rank can enter it. */
struct mpi_gather *mpigather_open(const struct mpi_match_sink *sink);

/*
 * size: of the communicator; apart: some of its ranks may be in another world, which
 * has another key for it, so that they never seem to enter; what: all but comm and
 * entries. 0 or -ENOMEM.
 */
int mpigather_add(struct mpi_gather *gather, const struct mpi_gather_key *key, u32 size,
                  bool apart, const struct mpi_collective *what,
                  const struct mpi_entry *entry);

/* Hand over what is left and free all. Returns how many calls were incomplete. */
u64 mpigather_close(struct mpi_gather *gather);

#endif
