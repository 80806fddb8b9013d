/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When two ranks were last in step: both had entered the two calls of a message, or a
 * collective call in which one needs the other. What delayed a rank is looked for
 * between that moment and its wait. The functions must be called in the order of the
 * common clock. Memory is needed for each pair of ranks that a message, or a collective
 * call with a root or neighbours, has connected; of other collective calls, only the
 * last 8 communicators of a rank are known. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPISYNCS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPISYNCS_H

#include "print/model/mpi/mpimatched.h"

struct mpi_syncs;

struct mpi_syncs *mpisyncs_open(u32 ranks); /* NULL = no memory */
void mpisyncs_close(struct mpi_syncs *syncs);

/*
 * Record that two ranks were in step: `to` needed something of `from`, and both had
 * begun their calls at `moment`. begun: when the waiting call began; all that one call
 * waits for is one step. 0 or -ENOMEM.
 */
int mpisyncs_pair(struct mpi_syncs *syncs, u32 from, u32 to, int64_t moment,
                  int64_t begun);

/* Record that all ranks of a collective call had entered it at `moment`. */
void mpisyncs_all(struct mpi_syncs *syncs, const struct mpi_collective *call,
                  int64_t moment);

/*
 * The last time, not after `moment`, at which both were in step; INT64_MIN: not known.
 */
int64_t mpisyncs_before(const struct mpi_syncs *syncs, u32 a, u32 b, int64_t moment);

#endif
