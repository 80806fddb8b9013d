/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of communicators, windows and files: an entry for each handle, which lives
 * as long as something refers to it. Nothing here calls the MPI library or records
 * anything: mpi_comm.h does. Normal context, between mpi_trace_enter() and its end; the
 * caller holds mpi_call_lock().
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_COMMS_H
#define ERTOOLS_COLLECTOR_MPI_MPI_COMMS_H

#include "share/types.h"

struct mpi_birth;

/* Ranks in the communicator; a negative rank is MPI_PROC_NULL. */
struct mpi_neighbors {
    u32 in, out;
    int at[]; /* ranks that send to this process, then those it sends to */
};

struct mpi_comm {
    struct mpi_comm *next; /* in a list of the hash table */
    u64 handle;
    u64 key;
    u64 members; /* hash of the world ranks in order */
    u32 id;
    u32 kind; /* enum er_comm_kind */
    u32 size, rank; /* of the local group */
    u32 seq;    /* collective calls so far */
    u32 uses;   /* references: the table's, and one for each request */
    u32 peers;  /* ranks that a call can name: size, or the remote group's */
    u32 side;   /* of an intercommunicator: which group is the local one, 0 or 1 */
    u32 *world; /* MPI_COMM_WORLD rank of each peer; NULL = equal to its rank here */
    struct mpi_birth *births;
    struct mpi_neighbors *neighbors; /* NULL = not asked for yet; see mpi_group.h */
    /* Of a window: hashes of the groups last recorded for Win_post and Win_start. */
    u64 groups[2];
};

/* The entry of a handle, or NULL if there is none. */
struct mpi_comm *mpi_comms_find(u64 handle);

/*
 * Add an entry, all zero but for its id, in place of one that the handle has. NULL = no
 * memory.
 */
struct mpi_comm *mpi_comms_add(u64 handle, u32 kind);

/* The handle is no longer valid: remove its entry, which lives until its last use. */
void mpi_comms_gone(u64 handle);

/* Add or drop a reference, for a request. comm may be NULL. */
void mpi_comms_hold(struct mpi_comm *comm);
void mpi_comms_drop(struct mpi_comm *comm);

/* Empty the table. */
void mpi_comms_forget_all(void);

/*
 * Set comm->neighbors to so many ranks, all -1 so far; a negative number counts as 0.
 * They are freed with the entry. NULL = no memory.
 */
struct mpi_neighbors *mpi_comms_add_neighbors(struct mpi_comm *comm, int in, int out);

/* The key of parent's next child with these members. 0 = no memory. */
u64 mpi_comms_next_key(struct mpi_comm *parent, u64 members);

/* A hash of two numbers. */
static inline u64
mpi_mix(u64 a, u64 b)
{
    u64 h = (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2)));

    h ^= h >> 31;
    h *= 0x7fb5d329728ea185ull;
    h ^= h >> 27;
    h *= 0x81dadef4bc2dd44dull;
    return h ^ h >> 33;
}

#endif
