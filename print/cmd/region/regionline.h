/* SPDX-License-Identifier: Apache-2.0 */
/* The command `timeline regions`. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_REGION_REGIONLINE_H
#define ERTOOLS_PRINT_CMD_REGION_REGIONLINE_H

#include "print/cmd/shell.h"

/*
 * Show in which regions threads were, in steps of `width` ns. 0, or 1 after a message.
 */
int regionline_show(struct shell *sh, const char *command, u32 steps, u64 width);

#endif
