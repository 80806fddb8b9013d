/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call on a window for one-sided communication, and where findings about it go. For
 * the model's own use; see mpiwindows.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIWINDOWCALL_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIWINDOWCALL_H

#include "print/model/mpi/mpimatched.h"

/* A call on a window. */
struct mpi_window_call {
    u64 window; /* its key */
    u32 comm;   /* id of the window in the rank's process */
    u32 rank;   /* who called: index in ranks.rank */
    u32 peer;   /* whose memory is accessed; RANK_NONE = nobody's, or all ranks' */
    u32 call;   /* enum er_mpicall */
    u32 kind;   /* enum er_mpi_kind */
    struct mpi_span *span;
};

/* Where the findings go. */
struct mpi_windows_sink {
    /*
     * Gets a call that could not return before `whom` had begun an action. span may be
     * NULL: the two ranks were only in step.
     */
    void (*waited)(void *context, enum mpi_aside what, struct mpi_span *span,
                   u32 rank, const struct mpi_side *whom);
    /* Gets a span that was counted as pending, once it is not needed any more. */
    void (*release)(void *context, struct mpi_span *span);
    void *context;
};

#endif
