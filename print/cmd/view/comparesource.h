/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the lines of a source file cost each group. A line is the same in all groups
 * that have its file, or that have a function of the wanted name in another file; it
 * does not matter where the code is in memory. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_VIEW_COMPARESOURCE_H
#define ERTOOLS_PRINT_CMD_VIEW_COMPARESOURCE_H

#include "print/cmd/comparison.h"
#include "print/model/views/source.h"

struct comparesource {
    struct comparison c;
    struct comparison_columns cols;
    const struct source *base; /* the file shown, with what all groups have */
    u32 *file;                 /* that file, and others with a function of that name */
    u32 nfiles;
    u32 count;                 /* lines, also those that only other files have */
    bool *code;                /* by line: there are instructions of it */
    struct grid *excl, *incl; /* by group; rows are lines */
    struct {
        struct values excl, incl;
    } *mark; /* by the base's marks, then by group */
    struct entry scratch;
};

/* The caller still owns `base`. 0 or -errno, in which case nothing must be closed. */
int comparesource_open(struct comparesource *cs, struct shell *sh,
                       const struct source *base);
void comparesource_close(struct comparesource *cs);

/* Add the columns by group, and facts about the groups. */
void comparesource_columns(struct comparesource *cs, struct table *t);

/*
 * Fill the last row: comparesource_line() for a line (from 0), comparesource_mark() for
 * a mark of the base.
 */
void comparesource_line(struct comparesource *cs, u32 line);
void comparesource_mark(struct comparesource *cs, const struct source_mark *mark);

/* Does the line (from 0) have code, or a value, in any group? */
bool comparesource_any(const struct comparesource *cs, u32 line);

#endif
