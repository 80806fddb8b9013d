/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators that ranks of several worlds share. MPI_Comm_spawn() starts a world;
 * the new ranks and those that called it then have an intercommunicator in common. The
 * two worlds record different keys for it, and do not know each other's ranks. This
 * file finds out which two records mean the same communicator; also for communicators
 * that all its members have made from it together. For the model's own use.
 *
 * A spawn and a world belong together if they have the same number of ranks; if
 * MPI_Init() began in all the new ranks while the spawning ranks were in the call; if
 * the root is the one that the new ranks name (where they do); and if no other spawn
 * and no other world fit, too. Otherwise they remain separate.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIBRIDGE_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIBRIDGE_H

#include "print/model/mpi/mpirecords.h"

struct mpi_bridges;

/* A communicator that may have ranks of several worlds. */
struct mpi_bridge {
    u64 key;  /* the same in all worlds; 0 = its other worlds are not known */
    u32 side; /* of an intercommunicator: which group this rank is in */
};

/*
 * Find the shared communicators. 0, and *out for mpibridges_close(), NULL if there is
 * only one world; or -ENOMEM.
 */
int mpibridges_open(struct session *session, const struct ranks *ranks,
                    const struct mpi_clocks *clocks, struct mpi_bridges **out);
void mpibridges_close(struct mpi_bridges *bridges);

/*
 * Get the communicator that the rank (an index in ranks.rank) knows by the id `comm`.
 * NULL: it is neither an intercommunicator nor made from one, so all its ranks are of
 * one world. bridges: NULL = there is only one world.
 */
const struct mpi_bridge *mpibridges_comm(const struct mpi_bridges *bridges, u32 rank,
                                         u32 comm);

/*
 * Get the rank, as an index in ranks.rank, that a record means by a peer >=
 * MPI_PEER_OUTSIDE; RANK_NONE: not known.
 */
u32 mpibridges_peer(const struct mpi_bridges *bridges, u32 rank, u32 comm, u32 peer);

#endif
