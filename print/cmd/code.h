/* SPDX-License-Identifier: Apache-2.0 */
/* Shows source and instructions for commands. Ordinary process context. */
#ifndef ERTOOLS_PRINT_CMD_CODE_H
#define ERTOOLS_PRINT_CMD_CODE_H

#include "print/cmd/shell.h"

/* Show a file, or a function's instructions, with metrics. 0, or 1 after a message. */
int code_show_file(struct shell *sh, const char *command, u32 file);
int code_show_disasm(struct shell *sh, const char *command, u32 function);

#endif
