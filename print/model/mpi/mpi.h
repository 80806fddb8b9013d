/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MPI: sums of calls by function, of messages by sender and receiver, and of each
 * rank's time. Only events that pass the filter count. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPI_H
#define ERTOOLS_PRINT_MODEL_MPI_MPI_H

#include <stdbool.h>

#include "print/model/lookup/ranks.h"
#include "print/model/mpi/mpisums.h"
#include "share/mpicall.h"

/* The calls of one MPI function that ended in one way. */
struct mpi_call {
    u32 call;  /* for mpicall_name() */
    u32 error; /* class of the error, 0 = none */
    u64 count;
    u64 time; /* ns: all calls */
    u64 longest; /* ns */
    /*
     * What these calls sent and received. Operations that a call only began count here,
     * too, if their end was recorded.
     */
    struct mpi_sizes sent;
    struct mpi_sizes received;
};

/* Messages and one-sided transfers from one rank to another. */
struct mpi_pair {
    u32 world, to_world; /* indices in ranks.world */
    u32 from, to;        /* ranks there */
    struct mpi_sizes sent;     /* messages, from the sender's records */
    struct mpi_sizes received; /* from the receiver's records */
    struct mpi_sizes aside;    /* one-sided: puts of `from`, gets of `to` */
};

/*
 * A rank's time, ns. `mpi` and `io` are those of the thread that was in MPI most; `cpu`
 * and `calls` are of all threads.
 */
struct mpi_share {
    const struct rank *rank; /* in mpi.ranks */
    u64 elapsed; /* from the start of the run to its end */
    u64 mpi;     /* in MPI, files aside */
    u64 io;      /* in MPI's files, and in I/O outside of MPI, where it was traced */
    u64 compute; /* the rest of `elapsed` */
    u64 cpu;     /* CPU time */
    u64 calls;   /* number of calls of MPI */
};

struct mpi {
    bool recorded; /* an experiment has MPI data, or was to have it */
    struct ranks ranks;
    struct mpi_call *call; /* by call, error */
    u32 calls, call_room;
    struct mpi_pair *pair; /* by world, from, to_world, to */
    u32 pairs, pair_room;
    bool joins; /* in some pairs, the ranks are of two worlds */
    /*
     * Messages exchanged with a rank of another world, where it is not known which
     * rank.
     */
    struct mpi_sizes lost_sent, lost_received;
    struct mpi_share *share; /* by world and rank */
    u32 shares, share_room;
};

/* want: bits of enum mpi_want. 0 and *out, to be freed by mpi_free(); or -errno. */
int mpi_get(struct session *session, u32 want, struct mpi *out);
void mpi_free(struct mpi *mpi);

#endif
