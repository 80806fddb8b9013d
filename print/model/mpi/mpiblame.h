/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the ranks for which unfinished calls wait. It compares the messages sent with
 * those received, and finds which ranks have not entered a collective call. For the
 * model's own use; see mpihang.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIBLAME_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIBLAME_H

#include "print/model/mpi/mpiblocked.h"
#include "print/model/mpi/mpievents.h"

struct mpi_blame;

struct mpi_blame *mpiblame_open(const struct ranks *ranks); /* NULL = no memory */

/* Process the next recorded event; events must come in order. 0 or -ENOMEM. */
int mpiblame_add(struct mpi_blame *blame, u32 rank, const struct mpi_event *event);

/*
 * Fill hang->wait and hang->cycle from hang->call. In a call such as MPI_Wait(), also
 * set from, tag and comm to those of the receive that it waits for. 0 or -ENOMEM.
 */
int mpiblame_settle(struct mpi_blame *blame, struct mpi_hang *hang);

void mpiblame_close(struct mpi_blame *blame);

#endif
