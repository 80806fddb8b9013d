/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The block of facts about a function, for fsummary and fsingle. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_CMD_FACTS_H
#define ERTOOLS_PRINT_CMD_FACTS_H

#include "print/cmd/list.h"

struct facts {
    struct mcols m;
    u32 name, linkage, object, file, line, address, size, inlined;
};

/* Add the columns of the facts to an empty table. */
void facts_columns(struct facts *f, struct shell *sh, struct table *t);

/* Add a function; NULL values are zero. */
void facts_row(const struct facts *f, struct shell *sh, u32 function,
               const struct row *row, const struct values *whole);

#endif
