/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the instructions of a function cost each group. Groups may be of several builds:
 * their listings are merged as diff(1) would do it. Two instructions are the same if
 * their texts are, without numbers. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_VIEW_COMPARECODE_H
#define ERTOOLS_PRINT_CMD_VIEW_COMPARECODE_H

#include "print/cmd/comparison.h"
#include "print/model/views/disasm.h"

/* A function's listing, in one build. */
struct code_part {
    u32 func;
    const struct disasm *d; /* with texts; one of the groups', or the base */
    u32 *row;               /* by line: its row */
    u32 *line;              /* by row: its line, ALIGN_NONE = none */
};

/* The listing of a function of one group. */
struct code_listing {
    u32 part, group;
    struct disasm d;
};

/* An instruction: the first part that has it, and its line there. */
struct code_row {
    u32 part, line;
};

struct comparecode {
    struct comparison c;
    struct comparison_columns cols;
    struct code_part *part; /* [0] is the function asked for */
    u32 nparts;
    struct code_listing **listing;
    u32 nlistings;
    struct code_row *row;
    u32 count;
    u32 in; /* the column with the groups that have the instruction */
    struct entry scratch;
};

/*
 * base: the listing of the function that was asked for; the caller still owns it. 0 or
 * -errno, in which case nothing must be closed.
 */
int comparecode_open(struct comparecode *cc, struct shell *sh,
                     const struct disasm *base);
void comparecode_close(struct comparecode *cc);

/* Add the columns by group, and facts about the groups. */
void comparecode_columns(struct comparecode *cc, struct table *t);

/* The instruction of a row; *func: the function whose listing it is in. */
const struct disasm_line *comparecode_line(const struct comparecode *cc, u32 row,
                                           u32 *func);

/* Fill the table's last row. */
void comparecode_fill(struct comparecode *cc, u32 row);

#endif
