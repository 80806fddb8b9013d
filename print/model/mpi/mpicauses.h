/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What caused waiting, by rank and call path; mpidelay.h says how it is found. For the
 * model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPICAUSES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPICAUSES_H

#include "print/base/hash.h"

/* What one rank did in one call path. Times are ns. */
struct mpi_cause {
    u32 rank; /* index in ranks.rank */
    u32 path; /* index in tracks.paths.path */
    double direct, indirect; /* costs: the waits of others that it caused */
    double critical;         /* on the critical path of its world */
    double all;              /* the whole run, without waits */
    double value;            /* what mpimerge_causes() has ranked it by */
};

/* All 0 is empty. */
struct mpi_causes {
    struct mpi_cause *cause;
    u32 causes, room;
    struct hash hash;
    bool no_memory;
};

/* Get the cause with a rank and a call path, which is added if new; NULL: no memory. */
struct mpi_cause *mpicauses_of(struct mpi_causes *charges, u32 rank, u32 path);

/* Add to a cause's costs, ns. Sets no_memory if that fails. */
void mpicauses_add(struct mpi_causes *charges, u32 rank, u32 path, double direct,
                   double indirect);

#endif
