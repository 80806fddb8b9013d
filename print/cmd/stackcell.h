/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks in cells of a table: whole, with a line for each frame; or only the innermost
 * place of interest. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_STACKCELL_H
#define ERTOOLS_PRINT_CMD_STACKCELL_H

#include "print/cmd/shell.h"

/* A stack's frames, one in each line, for free(); NULL = no memory. */
char *stackcell_text(struct shell *sh, u32 node);

/* Fill a COL_LIST cell of the last row with a stack's frames. 0, or 1 = no memory. */
int stackcell_fill(struct shell *sh, struct table *t, u32 column, u32 node);

/*
 * "alpha (mix.c:12)": the innermost frame that is not in the language's library. The
 * table owns the text. "" for node 0.
 */
const char *stackcell_place(struct shell *sh, struct table *t, u32 node);

#endif
