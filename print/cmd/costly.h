/* SPDX-License-Identifier: Apache-2.0 */
/* The view `regions costly`. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_COSTLY_H
#define ERTOOLS_PRINT_CMD_COSTLY_H

#include "print/cmd/shell.h"

/*
 * Show instances that took far longer than others of their region, with reasons. 0, 1.
 */
int costly_show(struct shell *sh, const char *command);

#endif
