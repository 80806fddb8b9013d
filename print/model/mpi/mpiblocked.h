/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that have not returned, and which rank waits for which; mpihang.h says how they
 * are found.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIBLOCKED_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIBLOCKED_H

#include "print/model/mpi/mpiclocks.h"

/* A call that has not returned. */
struct mpi_open_call {
    u32 rank; /* index in ranks.rank */
    u32 call;
    u32 to, from; /* as mpi_event.peer, 0 = none or any; `to` is also the root */
    u32 tag;      /* + 1, 0 = none or any */
    u32 comm;     /* the process's own id, 0 = none */
    u32 seq;      /* number of the collective call on comm */
    u32 node;     /* the session's stack node, for frames_of() */
    u64 age;      /* ns from its beginning until it is last known to have run */
};

/* `who` waits for `whom`: indices in ranks.rank. */
struct mpi_blocked {
    u32 who, whom;
};

struct mpi_hang {
    struct ranks ranks;
    struct mpi_clocks clocks;
    struct mpi_open_call *call; /* sorted by rank */
    u32 calls, call_room;
    struct mpi_blocked *wait; /* sorted by who, whom; without duplicates */
    u32 waits, wait_room;
    u32 *cycle; /* each of these ranks waits for the next, the last for the first */
    u32 cycles; /* number of ranks in cycle[]; 0 = there is no cycle */
    u32 first;  /* first rank to end without MPI_Finalize; RANK_NONE = not known */
    int64_t first_end; /* ns from the earliest start of a rank to the end of `first` */
};

#endif
