/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows on a terminal, in one line, what takes long and how much of it is done; the
 * line is erased at the end. Any thread may call progress_add(); all else only one.
 */
#ifndef ERTOOLS_PRINT_BASE_PROGRESS_H
#define ERTOOLS_PRINT_BASE_PROGRESS_H

#include <stdbool.h>

#include "share/types.h"

/*
 * Show the line on that descriptor (-1 = never) if a command takes longer than
 * delay_ns. A program that does not call this shows no line.
 */
void progress_open(int fd, u64 delay_ns);

/*
 * begins: a command begins; the delay counts from now. Else it has ended: erase the
 * line.
 */
void progress_turn(bool begins);

/*
 * Begin work of `total` steps (0 = not known), shown as "WHAT OF": for example
 * "reading test.1.er/profile".
 */
void progress_begin(const char *what, const char *of, u64 total);
/* Count steps as done, and show the line if it is due. */
void progress_add(u64 steps);

/* Erase the line, before anything else is written to the terminal. */
void progress_erase(void);

/*
 * pause: stop showing the line, since another program (a pager) uses the screen. Else
 * show it again from the next progress_begin() on.
 */
void progress_pause(bool pause);

#endif
