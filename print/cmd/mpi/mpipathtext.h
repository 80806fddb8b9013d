/* SPDX-License-Identifier: Apache-2.0 */
/* Makes text of call paths of ranks. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_MPI_MPIPATHTEXT_H
#define ERTOOLS_PRINT_CMD_MPI_MPIPATHTEXT_H

#include "print/cmd/shell.h"
#include "print/model/mpi/mpidelay.h"

/*
 * The innermost function of a path: "load (chain.c:12)", with its declaration; or
 * "MPI_Send in send_all (chain.c:40)". The table owns the text.
 */
const char *mpipathtext_place(struct shell *sh, struct table *t,
                              const struct mpi_paths *paths, u32 path);

/*
 * Fill a COL_LIST cell of the last row with the functions of a path, innermost first.
 */
void mpipathtext_fill(struct shell *sh, struct table *t, u32 column,
                      const struct mpi_paths *paths, u32 path);

#endif
