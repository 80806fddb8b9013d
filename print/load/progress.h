/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line at a terminal that shows what takes long, and how far it is; it is erased at
 * the end. progress_add() may be called by any thread, all else by one.
 */
#ifndef ERTOOLS_PRINT_LOAD_PROGRESS_H
#define ERTOOLS_PRINT_LOAD_PROGRESS_H

#include <stdbool.h>

#include "share/types.h"

/*
 * Show the line on that descriptor (-1 = never), when a command takes longer than
 * delay_ns. A program that does not call this shows nothing.
 */
void progress_open(int fd, u64 delay_ns);

/*
 * A command begins, and its time counts from now; or it ends, and the line is erased.
 */
void progress_turn(bool begins);

/* Work of `total` steps begins: "reading" "test.1.er/profile". */
void progress_begin(const char *what, const char *of, u64 total);
void progress_add(u64 steps);

/* Erase the line, before anything else is written to the terminal. */
void progress_erase(void);

/* Show nothing while another program (a pager) uses the screen. */
void progress_pause(bool pause);

#endif
