/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One clock for all hosts of MPI programs. The coarse one uses the wall clocks; the
 * exact one also uses the messages between hosts (mpialign.h). For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPICLOCKS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPICLOCKS_H

#include "print/model/mpi/clockfit.h"
#include "print/model/lookup/ranks.h"

/* A host's clock. The reference is the clock of the host of ranks.rank[0]. */
struct mpi_clock {
    int64_t coarse; /* ns to add to CLOCK_MONOTONIC: a common clock by wall clocks */
    double *ahead;  /* ns, at CLOCKFIT_SLOTS + 1 moments from `from` to `to`; or NULL */
    double error;   /* ns by which `ahead` may be wrong, either way */
    bool known;     /* computed from messages; also true of the reference */
    double offset;  /* ns ahead at the start, with `coarse`; to be displayed */
};

struct mpi_clocks {
    struct mpi_clock *host; /* as in ranks.host */
    u32 hosts;
    int64_t from, to; /* first start and last end of a rank, ns of the coarse clock */
    bool aligned;     /* there were several hosts, and their messages were used */
};

/* Make the coarse clock. 0 and *out for mpiclocks_free(), or -ENOMEM. */
int mpiclocks_open(const struct session *session, const struct ranks *ranks,
                   struct mpi_clocks *out);
void mpiclocks_free(struct mpi_clocks *clocks);

/* Convert a moment of the host's CLOCK_MONOTONIC to the common clock. */
int64_t mpiclocks_common(const struct mpi_clocks *clocks, u32 host, u64 mono);

/*
 * Get by how many ns a host's clock is ahead of the common one, at a moment of its
 * coarse clock: ns after `from`. host->ahead must not be NULL.
 */
double mpiclocks_ahead(const struct mpi_clocks *clocks, const struct mpi_clock *host,
                       double at);

#endif
