/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the ranks for which calls wait that have not returned: from the messages that
 * were sent and not received, or the other way round, and the ranks that have entered
 * each collective call. For the model's own use; see mpihang.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIBLAME_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIBLAME_H

#include "print/model/mpi/mpihang.h"

struct mpi_blame;

struct mpi_blame *mpiblame_open(const struct ranks *ranks); /* NULL = no memory */

/* Note a recorded event; events come in order. 0 or -ENOMEM. */
int mpiblame_note(struct mpi_blame *blame, u32 rank, const struct mpi_event *event);

/* Fill hang->wait and hang->cycle from hang->call. 0 or -ENOMEM. */
int mpiblame_settle(struct mpi_blame *blame, struct mpi_hang *hang);

void mpiblame_close(struct mpi_blame *blame);

#endif
