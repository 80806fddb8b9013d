/* SPDX-License-Identifier: Apache-2.0 */
/* Source and instructions, as commands show them. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_CODE_H
#define ERTOOLS_PRINT_CMD_CODE_H

#include "print/cmd/shell.h"

/* Show a file, or a function, with metrics. As commands: 0 or 1. */
int code_show_file(struct shell *sh, const char *command, u32 file);
int code_show_disasm(struct shell *sh, const char *command, u32 function);

#endif
