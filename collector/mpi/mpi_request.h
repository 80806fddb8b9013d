/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pending requests: what will be recorded when each one completes. A library may use
 * one handle for several operations that completed at once; these are matched in the
 * order in which they began. Normal context, between mpi_trace_enter() and its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_REQUEST_H
#define ERTOOLS_COLLECTOR_MPI_MPI_REQUEST_H

#include "share/types.h"

struct mpi_call;
struct mpi_comm;

/* What is read from the status when the request is complete. */
enum mpi_outcome {
    OUTCOME_NONE,     /* nothing */
    OUTCOME_MESSAGE,  /* source, tag and bytes of what was received */
    OUTCOME_BYTES,    /* bytes that were read */
    OUTCOME_MADE,     /* a communicator, at `made` */
};

struct mpi_request {
    struct mpi_request *next;
    u64 handle;
    u64 posted; /* ticks before the call that began it */
    u64 sent, received; /* bytes; received: if known at the beginning */
    const void *made;   /* OUTCOME_MADE: where the new handle is put; and its key */
    u64 key;
    struct mpi_comm *comm; /* or NULL */
    u32 call, kind; /* enum er_mpicall, enum er_mpi_kind */
    u32 peer, tag;
    u32 node; /* the stack of the call that began it */
    u32 outcome; /* enum mpi_outcome */
    u32 persistent;
    u32 collective; /* each start is a collective call of comm */
    u32 active;
    u32 over; /* 1 = a send that was complete before the call that waits for it */
    u32 claimed; /* 1 = a call that may complete it is running, and has claimed it */
};

/* Add a request; *r is copied. */
void mpi_request_add(const struct mpi_request *r);

/*
 * Complete the record c->r. If the call only begins an operation, or makes a persistent
 * request, add an entry for that request, whose handle is where the parameter
 * request_at points; `outcome` says what to read when the request is complete.
 */
void mpi_request_begun(struct mpi_call *c, struct mpi_comm *comm, u32 request_at,
                       enum mpi_outcome outcome);

/* The oldest request with this handle, or NULL. */
struct mpi_request *mpi_request_of(u64 handle);

/*
 * The oldest request with this handle that no other call has claimed. The caller owns
 * it until it unclaims or removes it. Call this before the MPI call that may complete
 * the request: once the library has completed it, another thread may get the same
 * handle for a new request before that call returns.
 */
struct mpi_request *mpi_request_claim(u64 handle);
void mpi_request_unclaim(struct mpi_request *r);

/* Remove a request, and free it. */
void mpi_request_remove(struct mpi_request *r);

void mpi_request_forget_all(void);

#endif
