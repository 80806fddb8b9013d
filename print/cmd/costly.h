/* SPDX-License-Identifier: Apache-2.0 */
/* The command `regions costly`. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_COSTLY_H
#define ERTOOLS_PRINT_CMD_COSTLY_H

#include "print/cmd/shell.h"

/*
 * Show instances of regions that took far longer than others, with reasons. 0, or 1
 * after a message.
 */
int costly_show(struct shell *sh, const char *command);

#endif
