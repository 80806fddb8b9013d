/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs commands given as words. Ordinary process context. All of these report errors on
 * stderr and return 0 or 1; shell.failed remembers a failure.
 */
#ifndef ERTOOLS_PRINT_CMD_RUN_H
#define ERTOOLS_PRINT_CMD_RUN_H

#include "print/cmd/shell.h"

/* v[0] is a command as typed; n >= 1. */
int run_words(struct shell *sh, int n, char **v);

/* Run a line of a script; an empty line does nothing. */
int run_line(struct shell *sh, const char *line);

/* All lines to the end of the file or `quit`; `name` for messages. */
int run_stream(struct shell *sh, FILE *f, const char *name);

/* run_stream() of a file; "-" = standard input. */
int run_file(struct shell *sh, const char *name);

#endif
