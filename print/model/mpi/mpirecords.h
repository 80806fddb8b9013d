/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MPI records of all ranks, in the order of the common clock. What concerns other
 * worlds is as it was recorded; mpievents.h joins the worlds. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIRECORDS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIRECORDS_H

#include "print/model/mpi/mpiclocks.h"
#include "share/mpicall.h"

enum mpi_event_what {
    MPI_EVENT_CALL,  /* the record mpi */
    MPI_EVENT_DONE,  /* done */
    MPI_EVENT_BEGUN, /* start */
    MPI_EVENT_COMM,  /* comm */
    MPI_EVENT_OPEN,  /* open: peer is where it sends to */
    MPI_EVENT_PARTNER, /* partner */
};

/*
 * Times are ns of the common clock. peer and tag are 1 more than in the records. A peer
 * of another world is MPI_PEER_OUTSIDE + 1 + its index in ranks.rank, or
 * MPI_PEER_OUTSIDE if it is not known which rank it is: see mpievents_peer(). "Of a
 * comm", "of an open": only events of that `what` have the field.
 */
struct mpi_event {
    int64_t end; /* end of the call; of an open, its beginning; orders the events */
    int64_t begin;  /* when the call began; of a done, the call that completed it */
    int64_t posted; /* of a done: when the operation was begun */
    u64 begun;      /* when it, or its operation, began, in record times; 0 = no call */
    u64 key;        /* of a comm: the same for all its ranks */
    u32 what;       /* enum mpi_event_what */
    u32 call;
    u32 kind; /* enum er_mpi_kind, or of a comm: enum er_comm_kind */
    u32 comm; /* the process's own id */
    u32 peer;
    u32 from; /* of an open: the rank that the call receives from */
    u32 tag;
    u32 seq;
    u32 size;      /* of a comm: processes */
    u32 comm_rank; /* of a comm: this process's rank; of a partner: its rank */
    u32 remote;    /* of a comm: processes in the other group */
    u32 side;      /* of a comm: which group is its own */
    u32 parent;    /* of a comm: the id of what it was made from, 0 = not known */
    bool joins;    /* of a comm: its ranks are of several worlds, which share `key` */
    bool apart;    /* of a comm: it may be of several worlds, the others not known */
    u32 node;      /* the experiment's own id */
    u32 posted_node;
    u32 thread;
    bool passes;      /* it passes the filter */
    bool gives, gets; /* sends, or receives, any bytes */
    u64 sent, received; /* bytes */
    u64 again; /* further calls for which the record stands */
    u32 error; /* its class, 0 = none */
    bool over; /* of a done: it was complete before the call that completed it */
};

/* rank: index in ranks.rank. Return false to stop. */
typedef bool mpi_event_fn(void *context, u32 rank, const struct mpi_event *event);

/*
 * Pass all records to use(), until it returns false. Peers and keys that concern other
 * worlds are as recorded. 0 or -ENOMEM.
 */
int mpirecords_read(struct session *session, const struct ranks *ranks,
                    const struct mpi_clocks *clocks, mpi_event_fn *use, void *context);

#endif
