/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command and keeps its text in memory; and for each row, which function it is
 * about, and which command shows more. Ordinary process context, one command at a time.
 */
#ifndef ERTOOLS_PRINT_CMD_CAPTURE_H
#define ERTOOLS_PRINT_CMD_CAPTURE_H

#include "print/cmd/shell.h"

/* A row of a table. */
struct captured_row {
    u32 line;      /* index of its first line */
    u32 function;  /* the model's id, 0 = none */
    char *command; /* a command that shows more, NULL = none */
    unsigned flags; /* enum row_flag */
    bool is_prose; /* it may take several lines */
};

struct captured {
    char **line;
    u32 nlines;
    struct captured_row *row; /* sorted by line */
    u32 nrows;
    char *message; /* the first line on standard error, "" = none */
    bool failed; /* the command failed */
};

/*
 * Run one command line; its text is `width` columns wide. capture_free() frees
 * everything; it must be called even if the command failed.
 */
void capture_run(struct shell *sh, const char *command, u32 width, bool utf8,
                 struct captured *out);
void capture_free(struct captured *c);

/*
 * Get the row that begins in a line, or the row of prose that the line is part of.
 * NULL: there is none, or the line is empty.
 */
const struct captured_row *capture_row(const struct captured *c, u32 line);

#endif
