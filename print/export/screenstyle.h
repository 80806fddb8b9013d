/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How text looks on a screen: highlighting, bars, and columns that fit. In a file (a
 * form that is all zero) none of this is used. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_EXPORT_SCREENSTYLE_H
#define ERTOOLS_PRINT_EXPORT_SCREENSTYLE_H

#include "print/export/export.h"

enum style {
    STYLE_PLAIN,
    STYLE_HEADING,
    STYLE_HOT,   /* rows with ROW_HOT */
    STYLE_SELF,  /* rows with ROW_SELF */
    STYLE_NOTE,  /* rows with ROW_NOTE */
    STYLE_FAINT, /* of little interest: zeros, units */
    STYLE_BAR,
};

enum { STYLE_BAR_WIDTH = 10 }; /* columns of a bar for a share of 1 */

/*
 * screenstyle_begin(): begin to highlight. screenstyle_end(): return to plain text.
 * Without form->colour, they write nothing.
 */
void screenstyle_begin(const struct export_form *form, enum style style, FILE *f);
void screenstyle_end(const struct export_form *form, enum style style, FILE *f);

/* Get how a row is highlighted; the first of its flags in enum style decides. */
enum style screenstyle_row(const struct table_row *r);

/*
 * Write a bar for a share from 0 to 1 into buf, of at most STYLE_BAR_WIDTH columns. buf
 * has STYLE_BAR_MAX bytes. Returns buf.
 */
enum { STYLE_BAR_MAX = 3 * STYLE_BAR_WIDTH + 1 };
const char *screenstyle_bar(const struct export_form *form, double share, char *buf);

/*
 * Make a table's lines fit the screen: shrink the widths of `soft` columns until all
 * columns and `fixed` further characters fit into form->width, or no soft column is
 * wider than `least`. n: number of columns. Returns the resulting width of lines.
 */
size_t screenstyle_fit(const struct export_form *form, size_t *width, const bool *soft,
                       u32 n, size_t fixed, size_t least);

#endif
