/* SPDX-License-Identifier: Apache-2.0 */
/* The command `mpimatrix messages`. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_MPI_MPIMESSAGES_H
#define ERTOOLS_PRINT_CMD_MPI_MPIMESSAGES_H

#include "print/cmd/shell.h"

/* Show single messages, as many as the limit says. 0, or 1 after a message. */
int mpimessages_show(struct shell *sh, const char *command);

#endif
