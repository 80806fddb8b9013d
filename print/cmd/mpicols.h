/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that show MPI have in common. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_MPICOLS_H
#define ERTOOLS_PRINT_CMD_MPICOLS_H

#include "print/cmd/shell.h"
#include "print/model/mpi/mpi.h"
#include "print/model/mpi/mpiclocks.h"

/* Call mpi_get(). 0 and *out for mpi_free(); or 1 after a message. */
int mpicols_get(struct shell *sh, u32 want, struct mpi *out);

/* Report that there is no MPI data; returns 1. */
int mpicols_none(struct shell *sh);

/* If records were dropped, say so. */
void mpicols_dropped(struct shell *sh, u64 dropped);

/*
 * How many of `count` rows are shown; t gets the number of the others. Without a limit,
 * 20 in text for people, else all.
 */
u32 mpicols_limit(struct shell *sh, struct table *t, u32 count);

/* Add a column for the world, if there are several worlds. */
u32 mpicols_world(struct table *t, const struct ranks *ranks);
void mpicols_fill_world(const struct shell *sh, struct table *t, u32 column,
                        const struct ranks *ranks, u32 world);

/*
 * Like mpicols_world(), for the world of the other rank of a pair; but only if `joins`:
 * there are pairs of ranks of two worlds. If not, mpicols_fill_world() will do nothing.
 */
u32 mpicols_other_world(struct table *t, const char *key, const char *title,
                        bool joins);

/* Add facts that say how exactly the clocks of several hosts agree. */
void mpicols_clocks(struct table *t, const struct ranks *ranks,
                    const struct mpi_clocks *clocks);

#endif
