/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What mpimatch_run() finds: messages with both of their sides, whole collective calls,
 * and the calls that waited for them. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIMATCHED_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIMATCHED_H

#include "print/model/mpi/mpirecords.h"

/* A call that waited for one operation, or for several. */
struct mpi_span {
    int64_t begin, end;
    u32 rank; /* index in ranks.rank */
    u32 node; /* the experiment's own id */
    u32 thread; /* id */
    bool passes; /* the call passes the filter */
    u32 pending; /* number of its operations whose match is still unknown */
    /* Whom it waited for longest. */
    int64_t wait; /* ns, 0 = for nobody */
    u32 pattern;
    u32 whom; /* index in ranks.rank */
    u32 whom_node;
    int64_t since; /* when the two ranks were last in step before; INT64_MIN = never */
};

/* One side of a message. */
struct mpi_side {
    int64_t begin; /* when the send or receive was begun */
    u32 rank;
    u32 node;
    struct mpi_span *span; /* the call that waited for its end; NULL = not known yet */
    struct mpi_span *probe; /* of a receive: the probe that waited for it; or NULL */
};

struct mpi_message {
    struct mpi_side send, receive;
};

/* A rank's part in a collective call. */
struct mpi_entry {
    int64_t begin, end; /* when the rank entered; when its operation was complete */
    u32 rank;
    u32 node;
    u32 place; /* its rank in the communicator */
    u32 side;  /* of an intercommunicator: the group that the rank is in */
    const u32 *source; /* neighbours that send to it: indices, or RANK_NONE */
    u32 sources;
    bool gives, gets; /* it sends, or receives, any bytes */
    struct mpi_span *span; /* the call that waited for its end */
};

struct mpi_collective {
    u64 comm; /* its key */
    u32 kind; /* enum er_mpi_kind */
    u32 call; /* enum er_mpicall */
    u32 root; /* index in ranks.rank + 1, 0 = none or not known */
    bool inter; /* on an intercommunicator: each group needs the other */
    u32 count; /* entries */
    const struct mpi_entry *entry;
};

/* What another rank must do before a call on a window can return. */
enum mpi_aside {
    MPI_ASIDE_POST,     /* open its memory: MPI_Win_post() */
    MPI_ASIDE_COMPLETE, /* end its access: MPI_Win_complete() */
    MPI_ASIDE_LOCK,     /* release its lock */
    MPI_ASIDE_PROGRESS, /* enter MPI, so that its library makes progress */
};

/* Callbacks for what was matched; NULL = not wanted. */
struct mpi_match_sink {
    /* Both sides are known, and the receive's span; the send's may come later. */
    void (*message)(void *context, const struct mpi_message *message);
    /* The end of a send becomes known after message() was called for its message. */
    void (*sent)(void *context, const struct mpi_message *message);
    /* Called when nothing more will be reported about the span. */
    void (*span)(void *context, const struct mpi_span *span);
    void (*collective)(void *context, const struct mpi_collective *collective);
    /* What waited() of struct mpi_windows_sink gets (mpiwindowcall.h). */
    void (*aside)(void *context, enum mpi_aside what, struct mpi_span *span, u32 rank,
                  const struct mpi_side *whom);
    /* Each event before it is matched. */
    void (*event)(void *context, u32 rank, const struct mpi_event *event);
    void *context;
};

/* Numbers of operations that could not be matched. */
struct mpi_unmatched {
    u64 sends;
    u64 receives;
    u64 collectives;
};

#endif
