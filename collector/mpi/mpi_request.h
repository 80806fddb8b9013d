/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live requests: what each will tell when it is complete. A library may give one handle
 * to several operations that were complete at once; they are then taken in the order in
 * which they began. Normal context, between mpi_call_enter() and its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_REQUEST_H
#define ERTOOLS_COLLECTOR_MPI_MPI_REQUEST_H

#include "collector/mpi/mpi_comm.h"

/* What the status says when it is complete. */
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
 * The same of those that nobody has claimed; it is the caller's until it is unclaimed
 * or removed. Before the call that may end it: once the library has ended one, another
 * thread may be given its handle before the call returns.
 */
struct mpi_request *mpi_request_claim(u64 handle);
void mpi_request_unclaim(struct mpi_request *r);

/* It is no more. */
void mpi_request_remove(struct mpi_request *r);

void mpi_request_forget_all(void);

#endif
