/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which experiments are ranks of MPI programs, which of these are in one world, and on
 * which hosts they ran. Ordinary process context.
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
    u32 size;  /* number of ranks by MPI's report, 0 = not known */
    u32 first; /* index in ranks.rank of its first experiment */
    u32 count; /* how many experiments are ranks of it */
    u32 *by_rank; /* by rank: index in ranks.rank + 1, 0 = none */
    u32 room;     /* elements of by_rank: the highest rank + 1 */
};

/* A host, whose experiments have one clock. */
struct rank_host {
    const char *name; /* "" = not known */
    const char *boot; /* id of the host's boot, "" = not known */
    int64_t coarse;   /* ns: wall clock less CLOCK_MONOTONIC, in one experiment */
};

struct ranks {
    struct rank *rank; /* sorted by world, rank and experiment */
    u32 count;
    struct rank_world *world;
    u32 worlds;
    struct rank_host *host;
    u32 hosts;
};

/*
 * Find the ranks, worlds and hosts of a session. 0 and *out for ranks_free(), or
 * -ENOMEM. *out is invalid once experiments are added or dropped.
 */
int ranks_of(const struct session *session, struct ranks *out);
void ranks_free(struct ranks *ranks);

/* A rank of a world (an index); NULL if the session has no experiment of the rank. */
const struct rank *ranks_find(const struct ranks *ranks, u32 world, u32 rank);

/*
 * The rank that an experiment is or (unless `itself`) from whose process it descends;
 * RANK_NONE = neither. A rank is an experiment whose process called MPI_Init.
 */
u32 rank_of(const struct experiment *experiment, bool itself);

/*
 * Report, in the problems of experiment `first`, what is wrong with the ranks of its
 * founder: ranks that are missing (if `first` is the founder), exist twice, were
 * killed, called MPI_Abort, or ended without MPI_Finalize. 0 or -ENOMEM.
 */
int ranks_report_problems(struct session *session, u32 first);

#endif
