/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The critical path of MPI programs, as mpidelay.h has it. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPICRITICAL_H
#define ERTOOLS_PRINT_MODEL_MPI_MPICRITICAL_H

#include "print/model/mpi/mpicauses.h"

/*
 * Add up what is on the critical path of each world, and what each rank did in the
 * whole run. *length: of all paths, ns. 0 or -ENOMEM.
 */
int mpicritical_walk(const struct mpi_tracks *tracks, struct mpi_causes *charges,
                     double *length);

#endif
