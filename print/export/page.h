/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses which columns of a table are shown as text, and how wide they are. Columns
 * that are empty in all rows are left out. On a screen, the following is also done, in
 * this order, until lines fit: texts are made narrower; headings take more lines;
 * bars are left out; columns with COL_DETAIL are left out, the last one first. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_EXPORT_PAGE_H
#define ERTOOLS_PRINT_EXPORT_PAGE_H

#include "print/export/export.h"

struct page {
    const struct table *t;
    const struct export_form *form;
    /* By column: */
    bool *shown;
    size_t *width;
    char **title;  /* its heading, which may be broken into more lines */
    u32 nleft_out; /* number of columns for which the screen has no room */
};

/* Lay out a table, which must live as long as the page. page_close() frees the page. */
void page_open(struct page *p, const struct table *t, const struct export_form *form);
void page_close(struct page *p);

/* Get the number of blanks before a column. */
size_t page_gap(const struct page *p, u32 column);

/*
 * Get line number `line` (from 0) of a column's heading; page_title_line(): of a given
 * heading. The line has *len bytes and is not terminated; *len is 0 if there is no such
 * line.
 */
const char *page_title(const struct page *p, u32 column, u32 line, size_t *len);
const char *page_title_line(const char *title, u32 line, size_t *len);

/*
 * page_shows_column(): does text show the column's values? Not if they are only for
 * programs, or drawn as a bar. page_is_left(): are they aligned to the left?
 */
bool page_shows_column(const struct column *c);
bool page_is_left(const struct column *c);

#endif
