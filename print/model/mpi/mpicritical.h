/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of MPI programs; mpidelay.h defines it. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPICRITICAL_H
#define ERTOOLS_PRINT_MODEL_MPI_MPICRITICAL_H

#include "print/model/mpi/mpicauses.h"
#include "print/model/mpi/mpitrack.h"

/*
 * Add to the causes what is on the critical path of each world, and what each rank did
 * in the whole run. *length: the sum of the lengths of all paths, ns. 0 or -ENOMEM.
 */
int mpicritical_walk(const struct mpi_tracks *tracks, struct mpi_causes *charges,
                     double *length);

#endif
