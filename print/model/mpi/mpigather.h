/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts collective calls together from the part that each rank has recorded. For the
 * model's own use; see mpimatch.h.
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

/* The sink gets each call as soon as no further rank can enter it. NULL = no memory. */
struct mpi_gather *mpigather_open(const struct mpi_match_sink *sink);

/*
 * size: of the communicator; apart: some of its ranks may be in another world, which
 * has another key for it, so that they never seem to enter; what: all but comm and
 * entries. 0 or -ENOMEM.
 */
int mpigather_add(struct mpi_gather *gather, const struct mpi_gather_key *key, u32 size,
                  bool apart, const struct mpi_collective *what,
                  const struct mpi_entry *entry);

/*
 * Pass the remaining calls to the sink, and free all. Returns how many were incomplete.
 */
u64 mpigather_close(struct mpi_gather *gather);

#endif
