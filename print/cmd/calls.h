/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Panels of callers and callees: for each function its callers, itself (starred), its
 * callees. Percentages are of the function's own inclusive values.
 */
#ifndef ERTOOLS_PRINT_CMD_CALLS_H
#define ERTOOLS_PRINT_CMD_CALLS_H

#include "print/cmd/list.h"

struct calls {
    struct mcols m;
    struct order order;
    u32 function, role, shown, name;
};

/* A table with its columns; free it or show it. */
struct table *calls_table(struct calls *c, const struct shell *sh, const char *command);

/* Add the panel of a function. Returns 0 or -errno. */
int calls_panel(const struct calls *c, struct shell *sh, u32 function);

#endif
