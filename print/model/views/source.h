/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Annotated source: every line of a file with what it cost.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_SOURCE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_SOURCE_H

#include <stdbool.h>

#include "print/model/grid.h"
#include "print/model/symbols/function.h"
#include "print/model/views/linemarks.h"

struct source_line {
    const char *text; /* not terminated, without newline; NULL: not in the file */
    u32 length; /* bytes of text */
    bool code;  /* it was compiled to instructions */
    bool hot;   /* see source_function() */
};

struct source {
    u32 file;         /* for file_path() */
    u32 func;         /* the function that was asked for; FUNC_TOTAL: a file was */
    u32 focus;        /* the function's first line; 1 for a file */
    u32 last;         /* the function's last line, as far as is known; or the file's */
    const char *found; /* path of the text; NULL: not found, and all texts are NULL */
    struct source_line *line; /* line[0] is line 1 */
    u32 count;        /* lines */
    struct grid excl; /* by line; row 0 is line 1 */
    struct grid incl;
    struct source_mark *mark; /* sorted by line; declared functions come first */
    u32 nmarks;
    char *text; /* the file's text */
    char *place; /* memory of `found` */
};

/*
 * Annotate the file that contains a function, or a given file. A line is hot if its
 * exclusive or inclusive value of `metric` is at least `threshold` percent of the
 * largest in the file. -ENODATA: the function has no line information; -EINVAL: there
 * is no such file; else 0 and *out for source_free(), or another -errno.
 */
int source_function(struct session *session, u32 func, enum metric metric,
                    u32 threshold, struct source *out);
int source_file(struct session *session, u32 file, enum metric metric, u32 threshold,
                struct source *out);
void source_free(struct source *source);

#endif
