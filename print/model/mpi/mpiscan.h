/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pass over a rank's MPI records that sums them up. For the model's own use; see
 * mpi.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPISCAN_H
#define ERTOOLS_PRINT_MODEL_MPI_MPISCAN_H

#include "print/model/bins.h"
#include "print/model/mpi/mpisums.h"
#include "print/model/session.h"

/*
 * bin_key.what, and what the other members of the bin then mean. Times are in units of
 * record times. Where a comment says sizes, `time` and `most` are the sum and the
 * maximum of bytes, and `first` is the minimum.
 */
enum mpi_bin {
    MPI_BIN_CALL,     /* other: the call, object: its error */
    MPI_BIN_SENT,     /* as MPI_BIN_CALL; sizes */
    MPI_BIN_RECEIVED, /* as MPI_BIN_CALL; sizes */
    /*
     * object: the recorded peer - 1; node: if the peer is of another world, the
     * communicator's id
     */
    MPI_BIN_TO,       /* sizes of messages sent to the peer */
    MPI_BIN_FROM,     /* as MPI_BIN_TO: received from the peer */
    MPI_BIN_PUT,      /* as MPI_BIN_TO: one-sided */
    MPI_BIN_GET,
    MPI_BIN_TIME, /* thread: slot + 1, other: is it about files? */
    /* object: the communicator's id in its process */
    MPI_BIN_COMM,
    MPI_BIN_COMM_SENT,     /* sizes */
    MPI_BIN_COMM_RECEIVED, /* sizes */
    /* object: the class of the size, from mpisums_class() */
    MPI_BIN_SIZE_SENT,
    MPI_BIN_SIZE_RECEIVED,
    /* node: the stack's id in its process, other: the call */
    MPI_BIN_PLACE,
    MPI_BIN_PLACE_SENT,     /* sizes */
    MPI_BIN_PLACE_RECEIVED, /* sizes */
};

/*
 * Sum up into *out, for bins_free(). want: bits of enum mpi_want. 0, -ENOENT (no MPI
 * data) or -ENOMEM.
 */
int mpiscan_run(struct session *session, u32 experiment, u32 want, struct bins *out);

#endif
