/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who caused the waiting of MPI programs, and the critical path. Ordinary process
 * context.
 *
 * Delay costs, after D. Boehme, M. Geimer, F. Wolf and L. Arnold, "Identifying the root
 * causes of wait states in large-scale parallel applications" (ICPP 2010), which is how
 * Scalasca has them. Let rank r wait for rank q until the moment t, when q begins what
 * r needs, and let s be the last moment before that wait when both were in step: at
 * the two sides of a message, in a collective call of all, or at the start. For each
 * call path, its delay is by how much more time q spent in it between s and t than r
 * did, waiting aside. The wait is charged to the call paths of q that have a delay, by
 * its size: those are direct costs. If q itself waited longer than r in that time, this
 * excess takes part like a call path, and its share is charged on to whatever q waited
 * for in these wait states, by the same rule: those are indirect costs. So all costs
 * together are the time of all wait states. Unlike there, it is the excess of q's
 * waiting that counts and not the whole of it, and s is no further back than LIMIT
 * calls of either rank.
 *
 * The critical path, after D. Boehme, B. de Supinski, M. Geimer, M. Schulz and F. Wolf,
 * "Scalable critical-path based performance analysis" (IPDPS 2012): from the end of the
 * last rank back to the start; wherever a rank has waited, the path goes on at the rank
 * that it has waited for. It is as long as the run, and has no wait states on it.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIDELAY_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIDELAY_H

#include "print/model/mpi/mpitracks.h"
#include "print/model/mpi/mpiwait.h"

/* What one rank did in one call path. Times are ns. */
struct mpi_cause {
    u32 rank; /* index in ranks.rank */
    u32 path; /* index in tracks.paths */
    double direct, indirect; /* of the waits of others that it caused */
    double critical;         /* on the critical path of its world */
    double all;              /* the whole run, without waits */
    double value;            /* what mpicauses_merge() has ranked it by */
};

struct mpi_delays {
    bool recorded; /* some experiment has such data */
    struct ranks ranks;
    struct mpi_clocks clocks;
    struct mpi_unmatched unmatched;
    u64 dropped; /* as in mpi_waits */
    struct mpi_tracks tracks;
    struct mpi_cause *cause; /* in no order */
    u32 causes, cause_room;
    double waited;   /* all wait states that pass the filter */
    double critical; /* the critical paths of all worlds */
};

/*
 * waits: NULL, or a struct that is all 0: gets wait[] and count, to be freed by
 * mpiwaits_free(). 0, and *out for mpidelays_free(); or -ENOMEM. The filter selects
 * which waits are charged; causes are searched in all events.
 */
int mpidelays_get(struct session *session, struct mpi_waits *waits,
                  struct mpi_delays *out);
void mpidelays_free(struct mpi_delays *delays);

/* What a cause is ranked by. */
typedef double mpi_cause_fn(const struct mpi_cause *cause);

#endif
