/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How text looks on a screen: highlighting, bars, and columns that fit. In a file (a
 * form that is all zero) none of this is used. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_EXPORT_LOOK_H
#define ERTOOLS_PRINT_EXPORT_LOOK_H

#include "print/export/export.h"

enum look {
    LOOK_PLAIN,
    LOOK_HEADING,
    LOOK_HOT,   /* rows with ROW_HOT, ROW_SELF and ROW_NOTE */
    LOOK_SELF,
    LOOK_NOTE,
    LOOK_FAINT, /* of little interest: zeros, units */
    LOOK_BAR,
};

enum { LOOK_BAR_WIDTH = 10 }; /* columns of a bar for a share of 1 */

/*
 * Begin to highlight; or return to plain text. They write nothing without form->colour.
 */
void look_begin(const struct export_form *form, enum look look, FILE *f);
void look_end(const struct export_form *form, enum look look, FILE *f);

enum look look_row(const struct table_row *r);

/*
 * A bar for a share from 0 to 1, of at most LOOK_BAR_WIDTH columns. buf has
 * LOOK_BAR_MAX bytes.
 */
enum { LOOK_BAR_MAX = 3 * LOOK_BAR_WIDTH + 1 };
const char *look_bar(const struct export_form *form, double share, char *buf);

/*
 * Make a table's lines fit the screen: shrink the widths of `soft` columns until all
 * columns, with `fixed` characters more, take form->width, or all of these are `least`
 * wide. n: how many columns. Returns how wide lines are then.
 */
size_t look_fit(const struct export_form *form, size_t *width, const bool *soft, u32 n,
                size_t fixed, size_t least);

#endif
