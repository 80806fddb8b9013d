/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The I/O of a rank outside of MPI calls. (MPI libraries do much of their work by
 * reads, writes and polls, which must not count here.) For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIIO_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIIO_H

#include "print/model/session.h"

/*
 * ns of a thread (index in threads.row + 1) in I/O calls that no function of MPI made;
 * 0 where I/O was not traced. 0 or -ENOMEM.
 */
int mpiio_outside(struct session *session, u32 experiment, u32 slot, u64 *time);

#endif
