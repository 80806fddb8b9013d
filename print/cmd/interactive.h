/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands typed at a terminal: a prompt, with line editing, history and completion by
 * libedit or readline if one of them is installed. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_INTERACTIVE_H
#define ERTOOLS_PRINT_CMD_INTERACTIVE_H

#include "print/cmd/shell.h"

/*
 * Run commands from the terminal until `quit` or the end of the input. An interrupt
 * ends only the output of a command, or drops the line that is being typed.
 */
void interactive_run(struct shell *sh);

/*
 * The completion number `number` of the word `text`, which begins at `start` in `line`;
 * NULL if there are no more. The caller frees it.
 */
char *interactive_complete(struct shell *sh, const char *line, int start,
                           const char *text, u32 number);

#endif
