/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/page.h"

#include <stdlib.h>
#include <string.h>

#include "print/export/screenstyle.h"
#include "print/export/value.h"

enum {
    TEXT_GOOD = 32,  /* columns of the screen to which texts are shrunk at first */
    TEXT_LEAST = 12, /* columns of the screen to which texts are shrunk in the end */
};

bool
page_shows_column(const struct column *c)
{
    return !(c->flags & COL_DATA_ONLY) && c->type != COL_BAR;
}

bool
page_is_left(const struct column *c)
{
    return c->type == COL_TEXT || c->type == COL_LIST || c->type == COL_BOOL ||
           c->type == COL_BAR || c->flags & COL_LEFT;
}

const char *
page_title_line(const char *title, u32 line, size_t *len)
{
    while (line && *title) {
        title += strcspn(title, "\n");
        title += *title == '\n';
        line--;
    }
    *len = strcspn(title, "\n");
    return title;
}

const char *
page_title(const struct page *p, u32 column, u32 line, size_t *len)
{
    return page_title_line(p->title[column], line, len);
}

size_t
page_gap(const struct page *p, u32 column)
{
    bool first = true;

    for (u32 k = 0; k < column && first; k++)
        first = !p->shown[k];
    if (first)
        return 0;
    return p->t->columns[column].flags & COL_JOINED ? 1 : 2;
}

/* Get the index after the last column that is under the same heading as `column`. */
static u32
group_end(const struct table *t, u32 column)
{
    u32 end = column + 1;

    while (end < t->ncolumns && t->columns[end].flags & COL_JOINED)
        end++;
    return end;
}

static bool
is_blank(const struct table *t, u32 column)
{
    const struct column *c = &t->columns[column];
    char buf[VALUE_MAX];

    for (u32 r = 0; r < t->nrows; r++) {
        const struct cell *cell = &t->rows[r].cells[column];

        if (c->type == COL_BAR ? cell->state == CELL_SET
                               : value_shown(c, cell, buf)[0] != '\0')
            return false;
    }
    return t->nrows != 0;
}

/*
 * Choose the columns to show; those under one heading are shown or left out together.
 */
static void
choose(struct page *p)
{
    const struct table *t = p->t;

    for (u32 i = 0, end; i < t->ncolumns; i = end) {
        bool blank = true;

        end = group_end(t, i);
        for (u32 k = i; k < end; k++)
            blank &= !page_shows_column(&t->columns[k]) || is_blank(t, k);
        for (u32 k = i; k < end; k++) {
            const struct column *c = &t->columns[k];

            p->shown[k] = c->type == COL_BAR ? p->form->bars
                                             : page_shows_column(c) && !blank;
        }
    }
}

/* The width of the columns under a heading. */
static size_t
group_width(const struct page *p, u32 column)
{
    size_t width = 0;

    for (u32 k = column; k < group_end(p->t, column); k++)
        if (p->shown[k])
            width += p->width[k] + (k > column);
    return width;
}

/* If a heading is wider than the columns under it, make the first of these wider. */
static void
widen(struct page *p, u32 column)
{
    size_t group = group_width(p, column), len;

    for (u32 n = 0; *page_title(p, column, n, &len); n++)
        if (len > group) {
            p->width[column] += len - group;
            group = len;
        }
}

/* Compute the widths of the columns that are shown; those of others are 0. */
static void
measure(struct page *p, bool with_titles)
{
    const struct table *t = p->t;
    char buf[VALUE_MAX];

    for (u32 i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];

        p->width[i] = 0;
        if (p->shown[i])
            p->width[i] = c->type == COL_BAR ? STYLE_BAR_WIDTH : value_width(c->unit);
        for (u32 r = 0; r < t->nrows && p->shown[i]; r++) {
            size_t w = value_width(value_shown(c, &t->rows[r].cells[i], buf));

            p->width[i] = w > p->width[i] ? w : p->width[i];
        }
    }
    for (u32 i = 0; i < t->ncolumns && with_titles; i = group_end(t, i))
        if (p->shown[i])
            widen(p, i);
}

/*
 * Make columns of text narrower, but not narrower than `least`. Returns the lines'
 * width then.
 */
static size_t
shrink(struct page *p, size_t least)
{
    const struct table *t = p->t;
    bool *soft = mem_realloc(NULL, (t->ncolumns + 1) * sizeof(*soft));
    size_t fixed = 0, total;

    for (u32 i = 0; i < t->ncolumns; i++) {
        soft[i] = p->shown[i] && t->columns[i].type == COL_TEXT;
        if (p->shown[i])
            fixed += page_gap(p, i);
    }
    total = screenstyle_fit(p->form, p->width, soft, t->ncolumns, fixed, least);
    free(soft);
    return total;
}

/* Do lines fit if texts are made narrower, but not below TEXT_GOOD? */
static bool
fits(struct page *p)
{
    measure(p, true);
    return shrink(p, TEXT_GOOD) <= p->form->width;
}

/* Break a heading: blanks become line ends where its lines are wider than `room`. */
static void
break_title(char *title, size_t room)
{
    char *begin = title, *blank = NULL;

    for (char *s = title;; s++) {
        if (*s && *s != ' ' && *s != '\n')
            continue;
        if (blank && (size_t)(s - begin) > room) {
            *blank = '\n';
            begin = blank + 1;
            blank = NULL;
        }
        if (!*s)
            return;
        if (*s == ' ') {
            blank = s;
        } else {
            begin = s + 1;
            blank = NULL;
        }
    }
}

/* Break headings that are wider than the columns under them. */
static void
break_titles(struct page *p)
{
    measure(p, false);
    for (u32 i = 0; i < p->t->ncolumns; i = group_end(p->t, i))
        break_title(p->title[i], group_width(p, i));
}

/* Leave out the last column with COL_DETAIL; false if there is none. */
static bool
leave_out(struct page *p)
{
    const struct table *t = p->t;

    for (u32 i = t->ncolumns; i--;)
        if (p->shown[i] && t->columns[i].flags & COL_DETAIL) {
            for (u32 k = i; k < group_end(t, i); k++)
                p->shown[k] = false;
            p->nleft_out++;
            return true;
        }
    return false;
}

static void
fit(struct page *p)
{
    if (fits(p))
        return;
    break_titles(p);
    if (fits(p))
        return;
    for (u32 i = 0; i < p->t->ncolumns; i++)
        p->shown[i] &= p->t->columns[i].type != COL_BAR;
    while (!fits(p) && leave_out(p))
        ;
    shrink(p, TEXT_LEAST);
}

void
page_open(struct page *p, const struct table *t, const struct export_form *form)
{
    u32 n = t->ncolumns + 1;

    *p = (struct page){ .t = t, .form = form };
    p->shown = mem_realloc(NULL, n * sizeof(*p->shown));
    p->width = mem_realloc(NULL, n * sizeof(*p->width));
    p->title = mem_realloc(NULL, n * sizeof(*p->title));
    for (u32 i = 0; i < t->ncolumns; i++) {
        size_t size = strlen(t->columns[i].title) + 1;

        p->title[i] = memcpy(mem_realloc(NULL, size), t->columns[i].title, size);
    }
    choose(p);
    measure(p, true);
    if (form->width)
        fit(p);
}

void
page_close(struct page *p)
{
    for (u32 i = 0; i < p->t->ncolumns; i++)
        free(p->title[i]);
    free(p->title);
    free(p->width);
    free(p->shown);
}
