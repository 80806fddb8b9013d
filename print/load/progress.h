/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line at a terminal that tells what takes so long and how far it is, and goes away
 * again. progress_add() may be called by any thread, all else by one.
 */
#ifndef ERTOOLS_PRINT_LOAD_PROGRESS_H
#define ERTOOLS_PRINT_LOAD_PROGRESS_H

#include <stdbool.h>

#include "share/types.h"

/*
 * Show it on that descriptor (-1 = never), when a turn takes longer than delay_ns. A
 * program that does not call this shows nothing.
 */
void progress_open(int fd, u64 delay_ns);

/* A command begins, from where its time counts; or ends, and so does the line. */
void progress_turn(bool begins);

/* Something begins that is done after `total` steps: "reading" "test.1.er/profile". */
void progress_begin(const char *what, const char *of, u64 total);
void progress_add(u64 steps);

/* Take the line away, before anything else is written to the terminal. */
void progress_erase(void);

/* While somebody else has the screen, nothing is shown. */
void progress_pause(bool pause);

#endif
