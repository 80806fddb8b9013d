/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of experiments side by side: what was named together on the command line (an
 * experiment with its sub-experiments, a group file) is a group. Functions are one when
 * their long names are, lines when function, file and line are, program counters when
 * function and offset are, wherever they are in memory; instructions of a listing as
 * comparecode.h says. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_COMPARE_H
#define ERTOOLS_PRINT_CMD_COMPARE_H

#include "print/cmd/shell.h"

/* Is there more than one group, and are they to be compared? */
bool compare_is_on(const struct shell *sh);

/* The views, as commands. Return 0 or 1. */
int compare_functions(struct shell *sh, const char *command);
int compare_lines(struct shell *sh, const char *command);
int compare_pcs(struct shell *sh, const char *command);
int compare_calltree(struct shell *sh, const char *command);
int compare_panels(struct shell *sh, const char *command);

/* Callers and callees of the shell's fragment, which is not empty. */
int compare_calls(struct shell *sh, const char *command);

#endif
