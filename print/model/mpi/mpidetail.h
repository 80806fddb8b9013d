/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MPI calls and their messages, by communicator, by size, or by call path; and how
 * evenly they are distributed over the ranks. Only events that pass the filter count.
 * The sums of each list equal those of mpi.h. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIDETAIL_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIDETAIL_H

#include "print/model/lookup/ranks.h"
#include "print/model/mpi/mpisums.h"

struct mpi_detail_row {
    /* By communicator: for comms_get(), 0 = none. By size: see mpisums_class(). */
    u64 object;
    u32 node;   /* by call path: stack node, for frames_of() */
    u32 call;   /* by call path: for mpicall_name() */
    u64 count;
    u64 time; /* ns */
    struct mpi_sizes sent, received;
    /* The largest time of any rank; if no time is known, the most bytes of any rank. */
    u64 most;
    u32 most_rank; /* index in ranks.rank; RANK_NONE = it is of no rank */
    double uneven; /* `most` divided by the mean of all ranks */
};

struct mpi_detail {
    bool recorded;
    struct ranks ranks;
    struct mpi_detail_row *row; /* sorted by time, then bytes; sizes, by size */
    u32 rows, room;
};

/*
 * Sum up by communicator, size or call path (by: MPI_COMMS, MPI_SIZES, MPI_PLACES). 0
 * and *out for mpidetail_free(), or -errno.
 */
int mpidetail_get(struct session *session, u32 by, struct mpi_detail *out);
void mpidetail_free(struct mpi_detail *detail);

#endif
