/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was typed at the prompt, kept from one run to the next: a file of lines that
 * only its owner can read, ertools/er_print_history in $XDG_STATE_HOME or, for want of
 * it, ~/.local/state. What cannot be read or written is done without. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_CMD_HISTORY_H
#define ERTOOLS_PRINT_CMD_HISTORY_H

enum { HISTORY_MAX = 1000 }; /* lines that are given */

/* Give the last lines to `add`, the oldest first. */
void history_read(int (*add)(const char *line));

/* Append a line, unless it begins with a blank or is the one before. */
void history_keep(const char *line);

#endif
