/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard output that is a terminal: what it can show, a pager for output longer than
 * the screen, and interrupts that end output. Ordinary process context, one screen per
 * process.
 */
#ifndef ERTOOLS_PRINT_CMD_SCREEN_H
#define ERTOOLS_PRINT_CMD_SCREEN_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "print/export/export.h"

struct screen;

/*
 * interrupted: a flag that a handler of SIGINT sets, to drop the rest of a command's
 * output; NULL: an interrupt ends the program. 0 or -errno.
 */
int screen_open(struct screen **screen, const volatile sig_atomic_t *interrupted);
void screen_close(struct screen *s);

/*
 * The stream to write to; the screen owns it. Writing fails with EPIPE if the reader is
 * gone, and no user can type a next command.
 */
FILE *screen_stream(const struct screen *s);

/* May output go through a pager from now on, if it is long? */
void screen_allow_pager(struct screen *s, bool allow);

/*
 * Set what the terminal can do; nothing is set for a dumb terminal, or without a
 * terminal.
 */
void screen_form(const struct screen *s, struct export_form *form);

/* Can the terminal show characters beyond ASCII? */
bool screen_is_utf8(const struct screen *s);

/* Show the output that is kept back until it is known whether there is much of it. */
void screen_release(struct screen *s);

/*
 * The output is complete: show it. If a pager shows it, wait until the pager has ended.
 */
void screen_end_turn(struct screen *s);

/* Is the descriptor a terminal that can do more than write lines? */
bool screen_is_able(int fd);

#endif
