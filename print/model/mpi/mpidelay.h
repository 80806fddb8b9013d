/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What caused the waiting of MPI programs, and the critical path. Ordinary process
 * context.
 *
 * Delay costs follow D. Boehme, M. Geimer, F. Wolf and L. Arnold, "Identifying the root
 * causes of wait states in large-scale parallel applications" (ICPP 2010), as Scalasca
 * does. Rank r waits for rank q until the moment t, when q begins what r needs. Let s
 * be the last moment before that wait at which both were in step: at the two sides of a
 * message, in a collective call of all, or at the start. A call path of q has a delay
 * if q spent more time in it between s and t than r did, waiting excluded. The wait is
 * charged to the call paths of q that have a delay, in proportion to their delays:
 * these are direct costs. If q itself waited longer than r in that time, the excess
 * takes part like a call path; its share is charged, by the same rule, to what caused
 * those waits of q: these are indirect costs. So all costs together equal the time of
 * all wait states. The paper counts the whole of q's waiting, here only the excess
 * counts; and s is at most LIMIT calls of either rank before the wait.
 *
 * The critical path follows D. Boehme, B. de Supinski, M. Geimer, M. Schulz and F.
 * Wolf, "Scalable critical-path based performance analysis" (IPDPS 2012): it leads from
 * the end of the last rank back to the start; where a rank has waited, it continues at
 * the rank for which that one waited. It is as long as the run, and contains no wait
 * states.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIDELAY_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIDELAY_H

#include "print/model/mpi/mpicauses.h"
#include "print/model/mpi/mpitracks.h"
#include "print/model/mpi/mpiwait.h"

struct mpi_delays {
    bool recorded; /* some experiment has such data */
    struct ranks ranks;
    struct mpi_clocks clocks;
    struct mpi_unmatched unmatched;
    u64 dropped; /* records for which there was no room: results may be wrong */
    struct mpi_tracks tracks;
    struct mpi_cause *cause; /* in no order */
    u32 causes, cause_room;
    double waited;   /* all wait states that pass the filter */
    double critical; /* the critical paths of all worlds */
};

/*
 * Find the causes. The filter selects which waits are charged; causes are searched in
 * all events. waits: if not NULL, a struct that is all 0, which gets wait[] and count
 * for mpiwaits_free(). 0, and *out for mpidelays_free(); or -ENOMEM.
 */
int mpidelays_get(struct session *session, struct mpi_waits *waits,
                  struct mpi_delays *out);
void mpidelays_free(struct mpi_delays *delays);

#endif
