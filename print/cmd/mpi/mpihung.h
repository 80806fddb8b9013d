/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the unfinished calls of a program that has not reached MPI_Finalize. */
#ifndef ERTOOLS_PRINT_CMD_MPI_MPIHUNG_H
#define ERTOOLS_PRINT_CMD_MPI_MPIHUNG_H

#include "print/cmd/shell.h"

/*
 * Append to *t a table of calls that have not returned, if some rank has called
 * MPI_Init and not MPI_Finalize. 0, or 1 after a message.
 */
int mpihung_follow(struct shell *sh, const char *command, struct table **t);

#endif
