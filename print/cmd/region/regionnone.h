/* SPDX-License-Identifier: Apache-2.0 */
/* The message of commands for regions if there are none. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_REGION_REGIONNONE_H
#define ERTOOLS_PRINT_CMD_REGION_REGIONNONE_H

#include "print/cmd/shell.h"

/*
 * Say how a program can name regions, and which command shows those of OpenMP. Returns
 * 1.
 */
int regionnone_fail(struct shell *sh);

#endif
