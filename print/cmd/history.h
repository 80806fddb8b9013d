/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The history of commands typed at the prompt. It is kept in a file that only its owner
 * can read, ertools/er_print_history in $XDG_STATE_HOME, by default ~/.local/state. If
 * the file cannot be read or written, there is no history. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_HISTORY_H
#define ERTOOLS_PRINT_CMD_HISTORY_H

enum { HISTORY_MAX = 1000 }; /* lines that are read */

/* Call add() for each of the last lines, the oldest first. */
void history_read(int (*add)(const char *line));

/* Append a line, unless it begins with a blank, or equals the line before. */
void history_keep(const char *line);

#endif
