/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How text looks on a screen: what is stressed, bars, and columns that fit. In a file
 * (a form that is all zero) none of it is seen. Ordinary process context.
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
    LOOK_FAINT, /* what says little: zeros, units */
    LOOK_BAR,
};

enum { LOOK_BAR_WIDTH = 10 }; /* columns of a bar for all there is */

/* Write so from here on; back to plain. Nothing is written without colour. */
void look_begin(const struct export_form *form, enum look look, FILE *f);
void look_end(const struct export_form *form, enum look look, FILE *f);

enum look look_row(const struct table_row *r);

/* A bar of at most LOOK_BAR_WIDTH columns for a share from 0 to 1, as a string; buf has
 * LOOK_BAR_MAX bytes. */
enum { LOOK_BAR_MAX = 3 * LOOK_BAR_WIDTH + 1 };
const char *look_bar(const struct export_form *form, double share, char *buf);

/*
 * Make a table's lines fit: width[i] of those columns that may lose something (`soft`)
 * shrinks until all, `fixed` columns more, take form->width or nothing can give way any
 * more. Returns what they take then.
 */
size_t look_fit(const struct export_form *form, size_t *width, const bool *soft, u32 n,
                size_t fixed, size_t least);

#endif
