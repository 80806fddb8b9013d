/* SPDX-License-Identifier: Apache-2.0 */
/* What sums of MPI data are made of, and which of them one may ask for. */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPISUMS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPISUMS_H

#include "share/types.h"

/* What to ask for. */
enum mpi_want {
    MPI_CALLS = 1,
    MPI_PAIRS = 2,
    MPI_SHARES = 4,
    MPI_COMMS = 8, /* this and the following are for mpidetail_get() */
    MPI_SIZES = 16,
    MPI_PLACES = 32,
};

/*
 * Number of messages or transfers, the sum of their bytes, and the bytes of the
 * smallest and the largest.
 */
struct mpi_sizes {
    u64 count;
    u64 bytes;
    u64 least;
    u64 most;
};

static inline void
mpisums_add(struct mpi_sizes *to, const struct mpi_sizes *more)
{
    if (!more->count)
        return;
    to->least = to->count && to->least < more->least ? to->least : more->least;
    to->most = to->most > more->most ? to->most : more->most;
    to->count += more->count;
    to->bytes += more->bytes;
}

/*
 * Get the class of a size: classes 0, 1, 2 are 0, 1, 2 to 3 bytes; the next is 4 to 7,
 * etc.
 */
static inline u32
mpisums_class(u64 bytes)
{
    return bytes ? 64 - (u32)__builtin_clzll(bytes) : 0;
}

#endif
