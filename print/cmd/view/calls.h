/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Panels of callers and callees: for each function its callers, itself (with a star),
 * its callees. Percentages are of the function's own inclusive values. Instead of one
 * function there may be a fragment: functions that call each other.
 */
#ifndef ERTOOLS_PRINT_CMD_VIEW_CALLS_H
#define ERTOOLS_PRINT_CMD_VIEW_CALLS_H

#include "print/cmd/list.h"

struct panels {
    struct mcols m;
    struct order order;
    struct arounds *all; /* for panels of many functions, else NULL */
    u32 function, role, shown, name;
};

/* A new table with the panels' columns; the caller frees or shows it. */
struct table *calls_table(struct panels *c, const struct shell *sh,
                          const char *command);

/* Add the panel of a fragment, outermost function first. Returns 0 or -errno. */
int calls_panel(const struct panels *c, struct shell *sh, const u32 *function,
                u32 length);

/* Show the panel of the shell's fragment. Returns 0, or 1 after a message. */
int calls_show_fragment(struct shell *sh, const char *command);

#endif
