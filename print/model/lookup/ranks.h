/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which experiments are ranks of MPI programs, which of them make one world, and which
 * hosts they ran on. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_RANKS_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_RANKS_H

#include <stdbool.h>

#include "print/model/session.h"
#include "share/types.h"

enum {
    RANK_NONE = UINT32_MAX,
};

struct rank {
    u32 experiment; /* index in the session */
    u32 rank;       /* in its world */
    u32 world;      /* index in ranks.world */
    u32 host;       /* index in ranks.host */
};

/*
 * Ranks that were started together: those of one founder. Ranks that MPI_Comm_spawn()
 * started have a world of their own.
 */
struct rank_world {
    const struct founder *founder;
    u64 key;   /* the same in all its ranks */
    u32 size;  /* as MPI says, 0 = not known */
    u32 first; /* in ranks.rank */
    u32 count;
    u32 *by_rank; /* index in ranks.rank + 1, by rank up to `room`; 0 = none */
    u32 room;
};

/* Experiments of one clock. */
struct rank_host {
    const char *name; /* "" = not known */
    const char *boot; /* the same as long as the host runs, "" = not known */
    int64_t coarse;   /* ns of the wall clock less its CLOCK_MONOTONIC */
};

/* By world, then rank, then experiment. */
struct ranks {
    struct rank *rank;
    u32 count;
    struct rank_world *world;
    u32 worlds;
    struct rank_host *host;
    u32 hosts;
};

/*
 * 0 and *out for ranks_free(), or -ENOMEM. *out is invalid once experiments are added
 * or dropped.
 */
int ranks_of(const struct session *session, struct ranks *out);
void ranks_free(struct ranks *ranks);

/* A rank of a world; NULL if the session has no experiment of it. */
const struct rank *ranks_find(const struct ranks *ranks, u32 world, u32 rank);

/*
 * The rank that an experiment is, or whose process it descends from; RANK_NONE.
 * `itself`: it must have called MPI_Init.
 */
u32 rank_of(const struct experiment *experiment, bool itself);

/*
 * Report, in the problems of experiment `first`, what is wrong with the ranks among the
 * experiments from `first` on: ranks that are missing, exist twice, were killed, called
 * MPI_Abort, or ended without MPI_Finalize. 0 or -ENOMEM.
 */
int ranks_tell(struct session *session, u32 first);

#endif
