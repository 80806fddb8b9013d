/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rank has waited for which. Only events of waiting ranks that pass the filter
 * count. Ordinary process context.
 *
 * A call waits from its beginning until the other side begins what it waits for, or
 * until its own end if that is earlier. A call that completes several operations counts
 * once, for the operation that it waited for longest.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIWAIT_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIWAIT_H

#include "print/model/bins.h"
#include "print/model/mpi/mpiclocks.h"
#include "print/model/mpi/mpistates.h"

/* How long one place of rank `who` has waited for one place of rank `whom`. */
struct mpi_wait {
    u32 pattern;
    u32 who, whom;        /* indices in ranks.rank */
    u32 node, whom_node;  /* for frames_of(); 0 = others, too many to tell apart */
    u64 count;
    u64 time;    /* ns */
    u64 longest; /* ns */
};

struct mpi_waits {
    bool recorded; /* some experiment has such data */
    struct ranks ranks;
    struct mpi_clocks clocks;
    struct mpi_unmatched unmatched;
    u64 dropped;           /* records for which there was no room: pairs may be wrong */
    struct mpi_wait *wait; /* the most time first */
    u32 count;
};

/* Find out who waited for whom. 0 and *out for mpiwaits_free(), or -ENOMEM. */
int mpiwaits_get(struct session *session, struct mpi_waits *out);
void mpiwaits_free(struct mpi_waits *waits);

enum {
    MPIWAITS_PLACES = 1 << 20, /* pairs of ranks' places that are told apart */
};

/*
 * For callers that go through the wait states themselves. mpiwaits_add() adds one wait
 * to the sums in a struct bins, whose limit must be MPIWAITS_PLACES. mpiwaits_settle()
 * turns the sums into wait[] and count of *out (all 0 before; for mpiwaits_free() also
 * after an error), and frees the bins. 0 or -ENOMEM.
 */
void mpiwaits_add(void *bins, const struct mpi_span *span);
int mpiwaits_settle(struct session *session, const struct ranks *ranks,
                    struct bins *bins, struct mpi_waits *out);

/* Find out whether any rank has data on waits, and how many records were dropped. */
void mpiwaits_check_data(struct session *session, const struct ranks *ranks,
                         bool *recorded, u64 *dropped);

#endif
