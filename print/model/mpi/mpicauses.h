/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by rank and call path. For the model's own use; see mpidelay.h. */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPICAUSES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPICAUSES_H

#include "print/model/mpi/mpidelay.h"

/* All 0 is empty. */
struct mpi_charges {
    struct mpi_cause *cause;
    u32 causes, room;
    struct hash hash;
    bool no_memory;
};

/* The entry of a rank and a call path, added if there is none; NULL: no memory. */
struct mpi_cause *mpicharges_of(struct mpi_charges *charges, u32 rank, u32 path);

void mpicharges_add(struct mpi_charges *charges, u32 rank, u32 path, double direct,
                    double indirect);

#endif
