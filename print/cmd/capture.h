/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command and keeps its text in memory; for each row also which function it
 * shows, or which command shows more. Ordinary process context, one command at a time.
 */
#ifndef ERTOOLS_PRINT_CMD_CAPTURE_H
#define ERTOOLS_PRINT_CMD_CAPTURE_H

#include "print/cmd/shell.h"

/*
 * A row of a table. It ends where the next row's line begins, or at the end of its
 * table.
 */
struct captured_row {
    u32 line;      /* its first, from 0 */
    u32 function;  /* 0 = none */
    char *command; /* that shows more, NULL = none */
    unsigned flags;
    bool is_prose; /* it may take several lines */
};

struct captured {
    char **line;
    u32 nlines;
    struct captured_row *row; /* by line */
    u32 nrows;
    char *message; /* the first line on standard error, "" = none */
    bool failed;
};

/*
 * Run one command line; its text is `width` columns wide. capture_free() frees
 * everything; it must be called even if the command failed.
 */
void capture_run(struct shell *sh, const char *command, u32 width, bool utf8,
                 struct captured *out);
void capture_free(struct captured *c);

/* The row to which a line belongs, NULL = none. */
const struct captured_row *capture_row(const struct captured *c, u32 line);

#endif
