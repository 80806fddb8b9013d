/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One-sided communication: which calls on a window may have waited for an action of
 * another rank. Calls must be given in the order of their ends on the common clock.
 * Memory grows with the numbers of groups, of held locks, and of calls that are not
 * matched yet. For the model's own use; see mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIWINDOWS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIWINDOWS_H

#include "print/model/mpi/mpimatch.h"

/* A call on a window. */
struct mpi_window_call {
    u64 window; /* its key */
    u32 comm;   /* the same, as the rank's process has it */
    u32 rank;   /* who called */
    u32 peer;   /* whose memory it is about; RANK_NONE = nobody's, or all */
    u32 call;   /* enum er_mpicall */
    u32 kind;   /* enum er_mpi_kind */
    struct mpi_span *span;
};

/* Where the findings go. */
struct mpi_windows_sink {
    /*
     * The span cannot have ended before `whom` began something. span may be NULL: the
     * two were only in step.
     */
    void (*waited)(void *context, enum mpi_aside what, struct mpi_span *span,
                   u32 rank, const struct mpi_side *whom);
    /* Called when mpiwindows does not need a span any more that it had kept. */
    void (*release)(void *context, struct mpi_span *span);
    void *context;
};

struct mpi_windows;

/* ranks: their number. *sink must live as long as the result. NULL = no memory. */
struct mpi_windows *mpiwindows_open(u32 ranks, const struct mpi_windows_sink *sink);
void mpiwindows_close(struct mpi_windows *windows);

/*
 * A record `partner` of a window was read. `rank` is an index in ranks.rank, or
 * RANK_NONE. 0 or -ENOMEM.
 */
int mpiwindows_partner(struct mpi_windows *windows, u32 rank, u32 comm, u32 call,
                       u32 place, u32 partner);

/* 0 or -ENOMEM. */
int mpiwindows_call(struct mpi_windows *windows, const struct mpi_window_call *call);

/* A rank was in MPI, in a call that lets others' one-sided transfers go on. */
void mpiwindows_progress(struct mpi_windows *windows, u32 rank,
                         const struct mpi_event *event);

#endif
