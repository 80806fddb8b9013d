/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks as cells of a table: whole ones, a line a frame, or the place that matters.
 * Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_STACKCELL_H
#define ERTOOLS_PRINT_CMD_STACKCELL_H

#include "print/cmd/shell.h"

/* A stack's frames, a line each, for free(); NULL = no memory. */
char *stackcell_text(struct shell *sh, u32 node);

/* Fill a COL_LIST cell of the last row with a stack's frames. 0, or 1 = no memory. */
int stackcell_fill(struct shell *sh, struct table *t, u32 column, u32 node);

/*
 * "alpha (mix.c:12)", in a table's memory: the innermost frame that is not
 * of the language's library. "" for node 0.
 */
const char *stackcell_place(struct shell *sh, struct table *t, u32 node);

#endif
