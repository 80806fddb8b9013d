/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds calls that complete one-sided transfers, or ask for a lock, and that returned
 * only after the target rank had entered MPI. They may have waited for that, since a
 * library may make progress only while the target is in MPI. For the model's own use;
 * see mpiwindows.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIPROGRESS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIPROGRESS_H

#include "print/model/mpi/mpiwindowcall.h"

struct mpi_progress;

/* ranks: their number. NULL = no memory. */
struct mpi_progress *mpiprogress_open(u32 ranks, const struct mpi_windows_sink *sink);
void mpiprogress_close(struct mpi_progress *progress);

/* Record that a rank was in a call of MPI; report the spans that waited for that. */
void mpiprogress_add_call(struct mpi_progress *progress, u32 rank,
                          const struct mpi_event *event);

/*
 * The call of `span` has accessed or locked memory of the rank `target`: report whether
 * it waited until that rank entered MPI, now or when that is known. 0 or -ENOMEM.
 */
int mpiprogress_add_access(struct mpi_progress *progress, struct mpi_span *span,
                           u32 target);

#endif
