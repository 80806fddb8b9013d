/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses which columns of a table are shown as text, and how wide they are. Columns
 * that are empty in all rows are left out. On a screen, the following is done as well,
 * in this order, until lines fit: texts are made narrower; headings take more lines;
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
    char **title;  /* its heading, perhaps broken into more lines */
    u32 nleft_out; /* columns that the screen has no room for */
};

/* The table must live as long as the page, which page_close() frees. */
void page_open(struct page *p, const struct table *t, const struct export_form *form);
void page_close(struct page *p);

/* The number of blanks before a column. */
size_t page_gap(const struct page *p, u32 column);

/*
 * Line number `line`, from 0 on, of a column's heading; of a title as a column has it
 * (page_title_line()). It has *len bytes and is not terminated; *len is 0 if there is
 * no such line.
 */
const char *page_title(const struct page *p, u32 column, u32 line, size_t *len);
const char *page_title_line(const char *title, u32 line, size_t *len);

/*
 * page_tells(): does text show the column's values? Not if they are only for programs,
 * or drawn as a bar. page_is_left(): are they aligned to the left?
 */
bool page_tells(const struct column *c);
bool page_is_left(const struct column *c);

#endif
