/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a program that has not reached MPI_Finalize: the calls that have not
 * returned, which rank waits for which, and which rank ended first. Ordinary process
 * context.
 *
 * A rank waits for a rank without which it cannot continue: for the sender of a message
 * that was not sent, for the receiver of a message that was not received, for ranks
 * that have not entered a collective call. A receive from any source does not wait for
 * a certain rank.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIHANG_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIHANG_H

#include "print/model/mpi/mpiblocked.h"

/* Has some rank called MPI_Init, but not MPI_Finalize? If not, nothing can hang. */
bool mpihang_may_be(const struct session *session);

/* Find what hangs. 0 and *out for mpihang_free(), or -ENOMEM. */
int mpihang_get(struct session *session, struct mpi_hang *out);
void mpihang_free(struct mpi_hang *hang);

/* Is the rank in a call that has not returned? */
bool mpihang_is_in_call(const struct mpi_hang *hang, u32 rank);

#endif
