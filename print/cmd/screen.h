/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard output where a person reads it: what the terminal can show, a pager for what
 * is longer than it, and an interrupt that ends output. Ordinary process context, one
 * screen a process.
 */
#ifndef ERTOOLS_PRINT_CMD_SCREEN_H
#define ERTOOLS_PRINT_CMD_SCREEN_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "print/export/export.h"

struct screen;

/*
 * interrupted: NULL, or what a handler of SIGINT sets to let the rest of a turn's
 * output be dropped; without it an interrupt ends the program. 0 or -errno.
 */
int screen_open(struct screen **screen, const volatile sig_atomic_t *interrupted);
void screen_close(struct screen *s);

/* Where to write; the screen's, never to be closed. Writing fails with EPIPE when the
 * reader has gone and nobody can type a next command. */
FILE *screen_stream(const struct screen *s);

/* Whether what is written from now on may go through a pager, if it is long. */
void screen_allow_pager(struct screen *s, bool allow);

/* What the terminal has; nothing is set if standard output is none, or a dumb one. */
void screen_form(const struct screen *s, struct export_form *form);

/* Whether characters beyond ASCII can be shown. */
bool screen_is_utf8(const struct screen *s);

/* Show what is kept back until it is known whether it is long. */
void screen_release(struct screen *s);

/* All is written: show it, and wait until the reader has seen it. */
void screen_end_turn(struct screen *s);

/* Whether a terminal that can do more than write lines is behind the descriptor. */
bool screen_is_able(int fd);

#endif
