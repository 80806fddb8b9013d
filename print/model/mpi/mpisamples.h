/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The samples that were taken in ranks between their calls of MPI. For the model's own
 * use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPISAMPLES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPISAMPLES_H

#include "print/model/mpi/mpitrack.h"

/*
 * Fill in the samples that a rank's track has between MPI calls. For each kind of call,
 * also sum up the samples between it and the call before it. 0 or -ENOMEM.
 */
int mpisamples_get(struct session *session, struct mpi_tracks *tracks, u32 rank);

#endif
