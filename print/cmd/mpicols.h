/* SPDX-License-Identifier: Apache-2.0 */
/* What the views of MPI share. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_MPICOLS_H
#define ERTOOLS_PRINT_CMD_MPICOLS_H

#include "print/cmd/shell.h"
#include "print/model/mpi/mpi.h"
#include "print/model/mpi/mpiclocks.h"

/* The sums that are wanted. 0 and *out for mpi_free(); or 1, told. */
int mpicols_get(struct shell *sh, u32 want, struct mpi *out);

/* Tell that there is no such data; returns 1. */
int mpicols_none(struct shell *sh);

/* Note that records were dropped, if any were. */
void mpicols_dropped(struct shell *sh, u64 dropped);

/* How many of `count` rows people are shown where they have set no limit: 20. */
u32 mpicols_limit(struct shell *sh, struct table *t, u32 count);

/* A column that says whose world it is, where there are several; else none. */
u32 mpicols_world(struct table *t, const struct ranks *ranks);
void mpicols_fill_world(const struct shell *sh, struct table *t, u32 column,
                        const struct ranks *ranks, u32 world);

/* Facts: what the clocks of several hosts are worth. */
void mpicols_clocks(struct table *t, const struct ranks *ranks,
                    const struct mpi_clocks *clocks);

#endif
