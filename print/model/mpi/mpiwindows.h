/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One-sided communication: which calls on a window may have waited for an action of
 * another rank. Calls must be given in the order of their ends on the common clock.
 * Memory grows with the numbers of groups, of held locks, and of calls that are not
 * matched yet. For the model's own use; see mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIWINDOWS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIWINDOWS_H

#include "print/model/mpi/mpiwindowcall.h"

struct mpi_windows;

/* ranks: their number. *sink must live as long as the result. NULL = no memory. */
struct mpi_windows *mpiwindows_open(u32 ranks, const struct mpi_windows_sink *sink);
void mpiwindows_close(struct mpi_windows *windows);

/*
 * Add a rank to the group of a MPI_Win_post() or MPI_Win_start(), from a record
 * `partner`. place: index in the group; 0 begins a new group. partner: index in
 * ranks.rank, or RANK_NONE. 0 or -ENOMEM.
 */
int mpiwindows_partner(struct mpi_windows *windows, u32 rank, u32 comm, u32 call,
                       u32 place, u32 partner);

/* Process a call on a window. 0 or -ENOMEM. */
int mpiwindows_call(struct mpi_windows *windows, const struct mpi_window_call *call);

/* A rank was in a call in which its library makes progress with others' transfers. */
void mpiwindows_progress(struct mpi_windows *windows, u32 rank,
                         const struct mpi_event *event);

#endif
