/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks of windows (MPI_Win_lock): finds out which rank waited until another one had
 * unlocked. A library may acquire a lock later than MPI_Win_lock asks for it: in the
 * first transfer, or when unlocking. So of two locks that exclude each other, assume
 * that the first is the one whose rank began to unlock before the other rank's
 * MPI_Win_lock had returned; if that is true of neither or of both, the one that was
 * released first. For the
 * model's own use; see mpiwindows.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPILOCKS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPILOCKS_H

#include "print/model/mpi/mpiwindowcall.h"

struct mpi_locks;

/* ranks: their number. NULL = no memory. */
struct mpi_locks *mpilocks_open(u32 ranks, const struct mpi_windows_sink *sink);
void mpilocks_close(struct mpi_locks *locks);

/*
 * Process a call on a window that has accessed, locked or unlocked one rank's memory. 0
 * or -ENOMEM.
 */
int mpilocks_call(struct mpi_locks *locks, const struct mpi_window_call *call);

#endif
