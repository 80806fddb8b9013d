/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks of windows (MPI_Win_lock): who waited until another had unlocked. A library may
 * acquire a lock later than it is asked for, in the first transfer or when the lock is
 * given back: of two ranks whose locks exclude each other, the first is the one that
 * began to unlock before the other's MPI_Win_lock had returned; where neither did, the
 * one that had unlocked first. For the model's own use; see mpiwindows.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPILOCKS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPILOCKS_H

#include "print/model/mpi/mpiwindows.h"

struct mpi_locks;

struct mpi_locks *mpilocks_open(u32 ranks, const struct mpi_windows_sink *sink);
void mpilocks_close(struct mpi_locks *locks);

/*
 * A call on a window has accessed, locked or unlocked one rank's memory. 0 or -ENOMEM.
 */
int mpilocks_call(struct mpi_locks *locks, const struct mpi_window_call *call);

#endif
