/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resource use by sample points: a column for each of their values. A cell has what a
 * stretch of the run added to the value; for values that are levels, what the level
 * was.
 */
#ifndef ERTOOLS_PRINT_CMD_USAGE_H
#define ERTOOLS_PRINT_CMD_USAGE_H

#include "print/export/table.h"
#include "print/load/samples.h"

struct usage {
    struct table *table;
    u32 column[SAMPLE_VALUES];
};

void usage_columns(struct usage *u, struct table *t);

/*
 * Fill the last row with what was used between two sample points; from = NULL: since
 * the process began. Of levels, take the value at `to`. A value that a sample point
 * lacks stays empty.
 */
void usage_fill(const struct usage *u, const struct sample_row *from,
                const struct sample_row *to);

#endif
