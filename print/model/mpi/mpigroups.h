/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communicators, windows and files that one process has, by its ids. For the
 * model's own use; see mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIGROUPS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIGROUPS_H

#include "print/model/mpi/mpirecords.h"

struct mpi_group {
    u64 key; /* 0 = not known */
    u32 kind; /* enum er_comm_kind */
    u32 size, remote; /* processes; in the other group of an intercommunicator */
    u32 place; /* this process's rank in it */
    u32 side;  /* which of the two groups this process is in */
    u32 *source; /* neighbours that send to it: indices, or RANK_NONE */
    u32 sources, room;
    bool joins; /* as in struct mpi_event */
    bool apart;
    bool asked; /* source[] was handed out: it must not change */
};

/* By id; all 0 is empty. */
struct mpi_groups {
    struct mpi_group *group;
    u32 count;
};

/* Get the group with an id; NULL = its key is not known. */
static inline struct mpi_group *
mpigroups_find(const struct mpi_groups *groups, u32 id)
{
    return id < groups->count && groups->group[id].key ? &groups->group[id] : NULL;
}

/* Process a record comm. 0, also if its id is damaged; or -ENOMEM. */
int mpigroups_add(struct mpi_groups *groups, const struct mpi_event *event);

/*
 * Add a neighbour that sends to the process, from a record partner. Does nothing if the
 * group is not known or its source[] was handed out. 0 or -ENOMEM.
 */
int mpigroups_add_source(struct mpi_groups *groups, u32 id, u32 rank);

void mpigroups_free(struct mpi_groups *groups);

#endif
