/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a program that has not reached MPI_Finalize: the calls that have not
 * returned, which rank waits for which, and which rank ended first. Ordinary process
 * context.
 *
 * A rank waits for another one without which it cannot continue: for the sender of a
 * message that was not sent, for the receiver of one that was not received, for ranks
 * that have not entered a collective call. A receive from any source does not wait for
 * a certain rank.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIHANG_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIHANG_H

#include "print/model/mpi/mpiclocks.h"
#include "print/model/mpi/mpievents.h"

/* A call that has not returned. */
struct mpi_open_call {
    u32 rank; /* index in ranks.rank */
    u32 call;
    u32 to, from; /* as mpi_event.peer, 0 = none or any; `to` is also the root */
    u32 tag;      /* + 1, 0 = none or any */
    u32 comm;     /* the process's own id, 0 = none */
    u32 seq;      /* which collective call on comm */
    u32 node;     /* for frames_of() */
    u64 age;      /* ns from its beginning to the end of what is known */
};

/* `who` waits for `whom`: indices in ranks.rank. */
struct mpi_blocked {
    u32 who, whom;
};

struct mpi_hang {
    struct ranks ranks;
    struct mpi_clocks clocks;
    struct mpi_open_call *call; /* by rank */
    u32 calls, call_room;
    struct mpi_blocked *wait; /* by who, whom; each once */
    u32 waits, wait_room;
    u32 *cycle; /* each of these ranks waits for the next, the last for the first */
    u32 cycles; /* how many; 0 = there is no cycle */
    u32 first;  /* ended without MPI_Finalize before all others; RANK_NONE = none did */
    int64_t first_end; /* ns after the start of the first rank */
};

/* Has some rank called MPI_Init, but not MPI_Finalize? If not, nothing can hang. */
bool mpihang_may_be(const struct session *session);

/* 0 and *out for mpihang_free(), or -ENOMEM. */
int mpihang_get(struct session *session, struct mpi_hang *out);
void mpihang_free(struct mpi_hang *hang);

/* Is the rank in a call that has not returned? */
bool mpihang_is_in_call(const struct mpi_hang *hang, u32 rank);

#endif
