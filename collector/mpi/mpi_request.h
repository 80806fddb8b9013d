/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pending requests: what will be recorded when each completes. A library may use one
 * handle for several operations that were complete at once; these are matched in the
 * order in which they began. Normal context, between mpi_call_enter() and its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_REQUEST_H
#define ERTOOLS_COLLECTOR_MPI_MPI_REQUEST_H

#include "collector/mpi/mpi_comm.h"

/* What is read from the status when it is complete. */
enum mpi_outcome {
    OUTCOME_NONE,     /* nothing that we want */
    OUTCOME_MESSAGE,  /* source, tag and bytes of what was received */
    OUTCOME_BYTES,    /* bytes that were read */
    OUTCOME_MADE,     /* a communicator, at `made` */
};

struct mpi_request {
    struct mpi_request *next;
    u64 handle;
    u64 posted; /* ticks before the call that began it */
    u64 sent, received; /* received: as known when it begins */
    const void *made;   /* OUTCOME_MADE: where its handle is put; key: what it gets */
    u64 key;
    struct mpi_comm *comm; /* or NULL */
    u32 call, kind; /* enum er_mpicall, enum er_mpi_kind */
    u32 peer, tag;
    u32 node; /* the stack of the call that began it */
    u32 outcome; /* enum mpi_outcome */
    u32 persistent;
    u32 collective; /* each start counts in comm's seq */
    u32 active;
    u32 over; /* a send that was complete before the call that waits for it */
    u32 claimed; /* a call that may end it is under way */
};

/* A copy of *r is kept. */
void mpi_request_add(const struct mpi_request *r);

/* The oldest with this handle, or NULL. */
struct mpi_request *mpi_request_of(u64 handle);

/*
 * The oldest with this handle that no other call has claimed; the caller owns it until
 * it is unclaimed or removed. Call this before the MPI call that may complete it: once
 * the library has completed a request, another thread may get the same handle for a new
 * one before that call returns.
 */
struct mpi_request *mpi_request_claim(u64 handle);
void mpi_request_unclaim(struct mpi_request *r);

/* Remove it. */
void mpi_request_remove(struct mpi_request *r);

void mpi_request_forget_all(void);

#endif
