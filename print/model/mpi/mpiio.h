/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time that a rank spent in I/O outside of MPI calls. (MPI libraries do much of
 * their work by read(), write() and poll(), which must not count here.) For the model's
 * own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIIO_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIIO_H

#include "print/model/session.h"

/*
 * Set *time to the ns that a thread (slot: index in threads.row + 1) spent in I/O calls
 * that were not made within a call of MPI; to 0 if I/O was not traced. Returns 0 or
 * -ENOMEM.
 */
int mpiio_outside(struct session *session, u32 experiment, u32 slot, u64 *time);

#endif
