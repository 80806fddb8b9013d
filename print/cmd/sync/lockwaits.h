/* SPDX-License-Identifier: Apache-2.0 */
/* The command `locks waits`. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_SYNC_LOCKWAITS_H
#define ERTOOLS_PRINT_CMD_SYNC_LOCKWAITS_H

#include "print/cmd/shell.h"

/* Show the longest waits, as many as the limit says. 0, or 1 after a message. */
int lockwaits_show(struct shell *sh, const char *command);

#endif
