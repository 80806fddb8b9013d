/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators, windows and files: for each handle its members and a key. All members
 * compute the same key without a message. A child's key is a hash of its parent's key,
 * of its members' ranks in the world, and of the number of earlier children of that
 * parent with these members: as creation is collective, all members agree on that
 * number. Normal context, between mpi_call_enter() and its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_COMM_H
#define ERTOOLS_COLLECTOR_MPI_MPI_COMM_H

#include "collector/mpi/mpi_abi.h"
#include "share/mpicall.h"
#include "share/record.h"
#include "share/types.h"

struct mpi_call;
struct mpi_birth;
struct mpi_neighbors;

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

enum {
    MPI_OUTSIDE = ~0u, /* in mpi_comm.world: a process outside of our world */
};

/* This process's rank and its world's size, once MPI has started. */
extern u32 mpi_world_rank, mpi_world_size;
extern int mpi_world_known;

/* Call when MPI has started: add MPI_COMM_WORLD and MPI_COMM_SELF. */
void mpi_comm_start(struct mpi_call *c);

/*
 * A session has begun, or is about to end. Without MPI_Init() there is no
 * MPI_COMM_WORLD: the world is the process set mpi://WORLD.
 */
void mpi_comm_start_session(struct mpi_call *c, u64 session);
void mpi_comm_end_session(struct mpi_call *c, u64 session);

/*
 * A communicator was made from a group, by all its members, which pass the same text.
 * Writes its record. Returns the entry or NULL.
 */
struct mpi_comm *mpi_comm_made_of_group(struct mpi_call *c, u64 handle,
                                        const char *text);

/*
 * The entry of a handle, made if needed. NULL = it is a null handle, MPI is not
 * initialized, or there is no memory.
 */
struct mpi_comm *mpi_comm_of(struct mpi_call *c, u64 handle);

/* The entry of a handle, or NULL if there is none. */
struct mpi_comm *mpi_comm_seen(u64 handle);

/*
 * A communicator was made from parent (or NULL), by an operation of all its members.
 * Writes its record. Returns the entry or NULL.
 */
struct mpi_comm *mpi_comm_made(struct mpi_call *c, u64 handle, struct mpi_comm *parent);

/*
 * A window or file was made by all members of parent. Writes its record. Returns the
 * entry or NULL.
 */
struct mpi_comm *mpi_comm_of_all(struct mpi_call *c, u64 handle, u32 kind,
                                 struct mpi_comm *parent, const char *name);

/* Record the name that the program has given to a communicator or window. */
void mpi_comm_name(struct mpi_call *c, const struct mpi_comm *comm, const char *name);

/*
 * A duplicate that is complete only later (MPI_Comm_idup()): compute the key when the
 * call begins, and make the entry, with that key, when its request is complete.
 */
u64 mpi_comm_next_key(struct mpi_comm *parent, u64 members);
struct mpi_comm *mpi_comm_made_with(struct mpi_call *c, u64 handle,
                                    struct mpi_comm *parent, u64 key);

/* The handle is no longer valid: remove its entry, which lives until its last use. */
void mpi_comm_gone(u64 handle);

/* Add or drop a reference, for a request. comm may be NULL. */
void mpi_comm_hold(struct mpi_comm *comm);
void mpi_comm_drop(struct mpi_comm *comm);

/* Empty the table: MPI or a session has ended, or this is a forked child. */
void mpi_comm_forget_all(void);

/*
 * Find the world rank, or MPI_OUTSIDE, of each of the n members of a group, and store
 * them in `out` unless that is NULL. Returns their hash. *is_same: 1 = each member has
 * the same rank in the world.
 */
u64 mpi_comm_translate(u64 group, u32 n, u32 *out, int *is_same);

/*
 * The value in records for a rank that a call names: its world rank + 1; 0 = none;
 * MPI_PEER_OUTSIDE + 1 + rank for a process outside of our world.
 */
static inline u32
mpi_comm_peer(const struct mpi_comm *comm, int rank)
{
    u32 r = (u32)rank;

    if (!comm || r >= comm->peers)
        return 0;
    if (comm->world && comm->world[r] == MPI_OUTSIDE)
        return MPI_PEER_OUTSIDE + 1 + r;
    return (comm->world ? comm->world[r] : r) + 1;
}

/* The value in records for this process, as of mpi_comm_peer(); 0 = not known. */
static inline u32
mpi_comm_own(const struct mpi_comm *comm)
{
    return comm && mpi_world_known ? mpi_world_rank + 1 : 0;
}

#endif
