/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs commands given as words. Ordinary process context. All functions report errors
 * on stderr, and return 0 or 1; shell.failed says that a command has failed.
 */
#ifndef ERTOOLS_PRINT_CMD_RUN_H
#define ERTOOLS_PRINT_CMD_RUN_H

#include "print/cmd/shell.h"

/* Run a command. v[0] is its name as typed; n is at least 1. */
int run_words(struct shell *sh, int n, char **v);

/* Run a line of a script; an empty line does nothing. */
int run_line(struct shell *sh, const char *line);

/* Run all lines up to the end of the file or `quit`; `name` is for messages. */
int run_stream(struct shell *sh, FILE *f, const char *name);

/* Run all lines of a file, as run_stream() does; "-" = standard input. */
int run_file(struct shell *sh, const char *name);

#endif
