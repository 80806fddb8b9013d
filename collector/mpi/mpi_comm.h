/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators, windows and files: when a handle gets an entry in the table
 * (mpi_comms.h), its members and a key are found out. All members compute the same key
 * without a message. A child's key is a hash of its parent's key, of its members' ranks
 * in the world, and of the number of earlier children of that parent with these
 * members: as creation is collective, all members agree on that number. Normal context,
 * between mpi_trace_enter() and its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_COMM_H
#define ERTOOLS_COLLECTOR_MPI_MPI_COMM_H

#include "collector/mpi/mpi_comms.h"
#include "collector/mpi/mpi_world.h"
#include "share/mpicall.h"
#include "share/types.h"

struct mpi_call;

enum {
    MPI_OUTSIDE = ~0u, /* in mpi_comm.world: a process outside of our world */
};

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
 * A duplicate that is complete only later (MPI_Comm_idup()): its key is that of
 * mpi_comms_next_key() when the call began; make the entry, with that key, when its
 * request is complete.
 */
struct mpi_comm *mpi_comm_made_with(struct mpi_call *c, u64 handle,
                                    struct mpi_comm *parent, u64 key);

/*
 * Empty the table, and forget the world: MPI or a session has ended, or this is a
 * forked child.
 */
void mpi_comm_forget_all(void);

/*
 * Count the call as a collective of comm: set c->r.comm and c->r.seq. A call that only
 * makes a persistent request is not counted, since its starts are. Does nothing if comm
 * is NULL.
 */
void mpi_comm_collective(struct mpi_call *c, struct mpi_comm *comm);

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
