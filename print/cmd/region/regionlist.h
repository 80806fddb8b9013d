/* SPDX-License-Identifier: Apache-2.0 */
/* The command `regions instances`. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_REGION_REGIONLIST_H
#define ERTOOLS_PRINT_CMD_REGION_REGIONLIST_H

#include "print/cmd/shell.h"

/*
 * Show the longest instances of regions, as many as the limit says. 0, or 1 after a
 * message.
 */
int regionlist_show(struct shell *sh, const char *command);

#endif
