/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MPI: sums of calls by function, of messages by sender and receiver, and of each
 * rank's time. Only events that pass the filter count. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPI_H
#define ERTOOLS_PRINT_MODEL_MPI_MPI_H

#include <stdbool.h>

#include "print/model/lookup/ranks.h"
#include "share/mpicall.h"

/*
 * Number of messages or transfers, their bytes, and the smallest and the largest of
 * them.
 */
struct mpi_sizes {
    u64 count;
    u64 bytes;
    u64 least;
    u64 most;
};

/* The calls of one MPI function that ended in one way. */
struct mpi_call {
    u32 call;  /* for mpicall_name() */
    u32 error; /* class of the error, 0 = none */
    u64 count;
    u64 time; /* ns */
    u64 longest;
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
    struct mpi_sizes aside;    /* puts and gets */
};

/* A rank's time, ns. All but the CPU time is of the thread that was in MPI most. */
struct mpi_share {
    const struct rank *rank; /* in mpi.ranks */
    u64 elapsed; /* from the start of the run to its end */
    u64 mpi;     /* in MPI, files aside */
    u64 io;      /* in MPI's files, and in I/O outside of MPI, where it was traced */
    u64 compute; /* the rest */
    u64 cpu;     /* CPU time of all threads */
    u64 calls;
};

/* What to ask for. */
enum mpi_want {
    MPI_CALLS = 1,
    MPI_PAIRS = 2,
    MPI_SHARES = 4,
    MPI_COMMS = 8, /* these three are for mpidetail.h */
    MPI_SIZES = 16,
    MPI_PLACES = 32,
};

struct mpi {
    bool recorded; /* an experiment has MPI data, or was to have it */
    struct ranks ranks;
    struct mpi_call *call; /* by call, error */
    u32 calls, call_room;
    struct mpi_pair *pair; /* by world, from, to_world, to */
    u32 pairs, pair_room;
    bool joins; /* some pairs are of two worlds */
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

static inline void
mpi_sizes_add(struct mpi_sizes *to, const struct mpi_sizes *more)
{
    if (!more->count)
        return;
    to->least = to->count && to->least < more->least ? to->least : more->least;
    to->most = to->most > more->most ? to->most : more->most;
    to->count += more->count;
    to->bytes += more->bytes;
}

#endif
