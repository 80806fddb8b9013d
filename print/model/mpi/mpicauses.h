/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What caused waiting, by rank and call path; mpidelay.h says how it is found. For the
 * model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPICAUSES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPICAUSES_H

#include "print/model/mpi/mpidelay.h"

/* All 0 is empty. */
struct mpi_causes {
    struct mpi_cause *cause;
    u32 causes, room;
    struct hash hash;
    bool no_memory;
};

/* The entry of a rank and a call path, added if there is none; NULL: no memory. */
struct mpi_cause *mpicauses_of(struct mpi_causes *charges, u32 rank, u32 path);

void mpicauses_add(struct mpi_causes *charges, u32 rank, u32 path, double direct,
                   double indirect);

/*
 * Merge causes whose paths end in the same function (if `functions`), and those of all
 * ranks of a world (if `worlds`), and sort all by `value`, the largest first. A merged
 * cause gets the rank and the path of the largest cause in it. 0 or -ENOMEM.
 */
int mpicauses_merge(struct mpi_delays *delays, bool functions, bool worlds,
                    mpi_cause_fn *value);

#endif
