/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares groups of experiments. Each name on the command line (an experiment with its
 * sub-experiments, or a group file) is a group. Functions of two groups are the same if
 * their long names are equal; lines, if function, file and line are equal; program
 * counters, if function and offset are equal; for instructions of a listing see
 * comparecode.h. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_COMPARE_H
#define ERTOOLS_PRINT_CMD_COMPARE_H

#include "print/cmd/shell.h"

/*
 * Show a view for all groups, each in columns of its own. Return 0, or 1 after a
 * message.
 */
int compare_functions(struct shell *sh, const char *command);
int compare_lines(struct shell *sh, const char *command);
int compare_pcs(struct shell *sh, const char *command);
int compare_calltree(struct shell *sh, const char *command);
int compare_panels(struct shell *sh, const char *command);

/* Compare callers and callees of the shell's fragment, which must not be empty. */
int compare_calls(struct shell *sh, const char *command);

#endif
