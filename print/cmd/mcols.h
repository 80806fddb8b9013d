/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns that the `metrics` setting asks for, in its order: those before and those
 * after the name, for which each view has columns of its own. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_CMD_MCOLS_H
#define ERTOOLS_PRINT_CMD_MCOLS_H

#include "print/cmd/shell.h"

/* What a view's rows are. */
enum mcols_view {
    MCOLS_FUNCTIONS = 1, /* exclusive, inclusive, size and address */
    MCOLS_PLACES,        /* lines, instructions, objects: exclusive, inclusive */
    MCOLS_CALLS,         /* attributed; if the setting has these, others, too */
};

struct mcols {
    struct table *table;
    const struct mspec *spec;
    enum mcols_view view;
    u32 next; /* index in the spec of the next item to become a column */
    u32 n;
    u32 bar;     /* number of the column of bars */
    u32 drawn;   /* index in col[] of what bars show; MSPEC_MAX = there are no bars */
    struct {
        struct mspec_item item;
        u32 column;
    } col[MSPEC_MAX];
};

/* The values of a row. Percentages are of `whole`. */
struct mcols_values {
    const struct values *excl, *incl, *attr; /* NULL: blank */
    const struct values *whole;
    u64 size; /* 0: blank, and so is the address */
    u64 address;
};

/*
 * Add the columns before the name. Then the view adds its own columns, and calls
 * mcols_after().
 */
void mcols_before(struct mcols *m, const struct shell *sh, struct table *t,
                  enum mcols_view view);
/* Add the columns after the name. Call it after the view has added its own. */
void mcols_after(struct mcols *m);

/*
 * Get the items of the `metrics` setting for which a kind of view has columns, and the
 * name. For MCOLS_FUNCTIONS, get all items.
 */
void mcols_shown(const struct shell *sh, enum mcols_view view, struct mspec *out);

/* Fill the last row. */
void mcols_fill(const struct mcols *m, const struct mcols_values *values);

/* Write "Exclusive Total CPU", for titles, into buf of size bytes. */
const char *mcols_order_name(const struct order *order, char *buf, size_t size);

#endif
