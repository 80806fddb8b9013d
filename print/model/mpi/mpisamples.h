/* SPDX-License-Identifier: Apache-2.0 */
/* The samples of ranks between their calls of MPI. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPISAMPLES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPISAMPLES_H

#include "print/model/mpi/mpitracks.h"

/*
 * Fill in a track's samples between MPI calls, and for each kind of call the sums of
 * those before its calls. 0 or -ENOMEM.
 */
int mpisamples_get(struct session *session, struct mpi_tracks *tracks, u32 rank);

#endif
