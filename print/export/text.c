/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/export/screenstyle.h"
#include "print/export/page.h"
#include "print/export/prose.h"
#include "print/export/tree.h"
#include "print/export/value.h"

/*
 * A line of text while it is written. Blanks (pad: how many) are written only when
 * something follows them, so that no line ends with blanks.
 */
struct line {
    FILE *f;
    size_t pad;
};

static void
put_blanks(struct line *l)
{
    for (; l->pad; l->pad--)
        putc(' ', l->f);
}

static void
put_text(struct line *l, const char *text)
{
    if (!*text)
        return;
    put_blanks(l);
    value_write_safe(text, l->f);
}

static void
put_padded(struct line *l, const char *text, size_t width, size_t room, int left)
{
    size_t blanks = room > width ? room - width : 0;

    l->pad += left ? 0 : blanks;
    put_text(l, text);
    l->pad += left ? blanks : 0;
}

static void
end_line(struct line *l)
{
    l->pad = 0;
    putc('\n', l->f);
}

/*
 * Write one line of the heading; returns 0, without writing, if no column has that
 * line.
 */
static bool
put_heading_line(const struct page *p, u32 number, FILE *f)
{
    const struct table *t = p->t;
    struct line l = { .f = f };
    size_t len, owed = 0;
    int any = 0;

    for (u32 i = 0; i < t->ncolumns; i++) {
        page_title(p, i, number, &len);
        any |= p->shown[i] && len;
    }
    if (any)
        screenstyle_begin(p->form, STYLE_HEADING, f);
    for (u32 i = 0; any && i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];
        const char *text = page_title(p, i, number, &len);
        char *copy;

        if (!p->shown[i])
            continue;
        if (c->flags & COL_JOINED) {
            owed += page_gap(p, i) + p->width[i];
            continue;
        }
        l.pad += owed + page_gap(p, i);
        copy = strndup(text, len);
        if (copy)
            put_text(&l, copy);
        free(copy);
        owed = p->width[i] > len ? p->width[i] - len : 0;
        for (size_t over = len > p->width[i] ? len - p->width[i] : 0; over;) {
            /* the heading also covers the joined columns */
            size_t next = page_gap(p, i + 1) + p->width[i + 1];

            owed += over < next ? next - over : 0;
            over -= over < next ? over : next;
            i++;
        }
    }
    if (any) {
        screenstyle_end(p->form, STYLE_HEADING, f);
        end_line(&l);
    }
    return any;
}

static void
put_units(const struct page *p, FILE *f)
{
    const struct table *t = p->t;
    struct line l = { .f = f };
    int any = 0;

    for (u32 i = 0; i < t->ncolumns; i++)
        any |= p->shown[i] && *t->columns[i].unit;
    if (!any)
        return;
    screenstyle_begin(p->form, STYLE_FAINT, f);
    for (u32 i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];

        if (!p->shown[i])
            continue;
        l.pad += page_gap(p, i);
        put_padded(&l, c->unit, value_width(c->unit), p->width[i], page_is_left(c));
    }
    screenstyle_end(p->form, STYLE_FAINT, f);
    end_line(&l);
}

static bool
is_zero(const struct column *c, const struct cell *v)
{
    if (c->type == COL_PERCENT)
        return v->real == 0;
    return (c->type == COL_NS || c->type == COL_COUNT) && !v->number;
}

/* Write cell i of a row that is highlighted as `row`. */
static void
put_cell(const struct page *p, struct line *l, u32 i, const struct cell *v,
         enum style row)
{
    const struct column *c = &p->t->columns[i];
    enum style style = STYLE_PLAIN;
    char buf[VALUE_MAX], bar[STYLE_BAR_MAX];
    const char *text = value_shown(c, v, buf);
    size_t width, blanks;
    char *tree = NULL;

    if (c->flags & COL_TREE)
        text = tree = tree_text(text, p->form->utf8);
    if (c->type == COL_BAR && v->state == CELL_SET)
        text = screenstyle_bar(p->form, v->real, bar);
    if (row == STYLE_PLAIN)
        style = c->type == COL_BAR ? STYLE_BAR : is_zero(c,
                                                         v) ? STYLE_FAINT : STYLE_PLAIN;
    width = value_width(text);
    blanks = p->width[i] > width ? p->width[i] - width : 0;
    l->pad += page_is_left(c) ? 0 : blanks;
    if (*text) {
        put_blanks(l);
        screenstyle_begin(p->form, style, l->f);
        if (p->form->width && width > p->width[i] && c->type == COL_TEXT)
            value_write_cut(text, p->width[i], !(c->flags & COL_BEGINNING),
                            p->form->utf8, l->f);
        else
            value_write_safe(text, l->f);
        screenstyle_end(p->form, style, l->f);
    }
    l->pad += page_is_left(c) ? blanks : 0;
    free(tree);
}

static void
put_columns_row(const struct page *p, const struct table_row *r, FILE *f)
{
    struct line l = { .f = f };
    enum style style = screenstyle_row(r);

    screenstyle_begin(p->form, style, f);
    for (u32 i = 0; i < p->t->ncolumns; i++) {
        if (!p->shown[i])
            continue;
        l.pad += page_gap(p, i);
        put_cell(p, &l, i, &r->cells[i], style);
    }
    screenstyle_end(p->form, style, f);
    end_line(&l);
}

static void
put_table(const struct table *t, const struct export_form *form, FILE *f)
{
    struct page p;

    page_open(&p, t, form);
    for (u32 n = 0; put_heading_line(&p, n, f);)
        n++;
    put_units(&p, f);
    for (u32 r = 0; r < t->nrows; r++) {
        if (t->rows[r].flags & ROW_GAP)
            putc('\n', f);
        export_row_begins(t, r, form);
        put_columns_row(&p, &t->rows[r], f);
    }
    if (p.nleft_out)
        fprintf(f, "(%u column%s left out for lack of room; -printmode csv has all)\n",
                p.nleft_out, p.nleft_out == 1 ? " is" : "s are");
    page_close(&p);
}

/* Write a heading's lines as one line; returns its width. */
static size_t
put_label(const char *title, FILE *f)
{
    size_t len, width = 0;

    for (u32 n = 0; *page_title_line(title, n, &len); n++) {
        fprintf(f, "%s%.*s", n ? " " : "", (int)len, page_title_line(title, n, &len));
        width += len + (n > 0);
    }
    return width;
}

/* Write a value. The strings of a list get a line each, with the same indentation. */
static void
put_block_value(const struct column *c, const char *value, size_t indent, FILE *f)
{
    if (c->type != COL_LIST) {
        value_write_safe(value, f);
        return;
    }
    for (;;) {
        size_t n = strcspn(value, "\n");
        char *part = strndup(value, n);

        if (part)
            value_write_safe(part, f);
        free(part);
        if (!value[n])
            break;
        value += n + 1;
        fprintf(f, "\n%*s", (int)indent, "");
    }
}

static const char *
without_blanks(const char *value, char *buf)
{
    size_t n;

    if (value != buf)
        return value;
    for (n = strlen(buf); n && buf[n - 1] == ' ';)
        buf[--n] = '\0';
    return buf;
}

static void
put_block_line(const struct table *t, const struct table_row *r, u32 *at, size_t label,
               FILE *f)
{
    const struct column *c = &t->columns[*at];
    char buf[VALUE_MAX];
    const char *value = value_shown(c, &r->cells[*at], buf);
    size_t used;

    fputs("    ", f);
    used = put_label(c->title, f);
    fprintf(f, ":%*s", (int)(label > used ? label - used : 0) + 1, "");
    put_block_value(c, without_blanks(value, buf), label + 6, f);
    /* MiB is a unit already. */
    if (*c->unit && (c->type != COL_COUNT || !strstr(value, "iB")))
        fprintf(f, " %s", c->unit);
    for (; *at + 1 < t->ncolumns && c[1].flags & COL_JOINED; ++*at, c++) {
        const char *v = value_shown(c + 1, &r->cells[*at + 1], buf);

        fprintf(f, " (%s%s)", without_blanks(v, buf), c[1].unit);
    }
    putc('\n', f);
}

static void
put_blocks(const struct table *t, const struct export_form *form, FILE *f)
{
    char buf[VALUE_MAX];
    size_t label = 0;

    for (u32 i = 1; i < t->ncolumns; i++)
        if (page_shows_column(&t->columns[i]) && strlen(t->columns[i].title) > label)
            label = strlen(t->columns[i].title);
    for (u32 r = 0; r < t->nrows; r++) {
        if (r)
            putc('\n', f);
        export_row_begins(t, r, form);
        value_write_safe(value_shown(t->columns, &t->rows[r].cells[0], buf), f);
        putc('\n', f);
        for (u32 i = 1; i < t->ncolumns; i++)
            if (page_shows_column(&t->columns[i]) &&
                t->rows[r].cells[i].state == CELL_SET)
                put_block_line(t, &t->rows[r], &i, label, f);
    }
}

static void
put_plain(const struct table *t, FILE *f)
{
    char buf[VALUE_MAX];

    for (u32 r = 0; r < t->nrows; r++) {
        const char *sep = "";

        for (u32 i = 0; i < t->ncolumns; i++) {
            const struct cell *v = &t->rows[r].cells[i];

            if (!page_shows_column(&t->columns[i]))
                continue;
            fputs(sep, f);
            if (t->columns[i].type == COL_LIST && v->state == CELL_SET)
                value_write_folded(v->text, f);
            else
                value_write_safe(value_plain(&t->columns[i], v, buf), f);
            sep = " ";
        }
        putc('\n', f);
    }
}

static void
put_view(const struct table *t, const struct export_form *form, FILE *f)
{
    if (t->layout == LAYOUT_PLAIN) {
        put_plain(t, f);
        return;
    }
    if (*t->title) {
        screenstyle_begin(form, STYLE_HEADING, f);
        fputs(t->title, f);
        screenstyle_end(form, STYLE_HEADING, f);
        fputs("\n\n", f);
    }
    for (u32 i = 0; i < t->nfacts; i++) {
        fprintf(f, "%s: ", t->facts[i].title);
        value_write_safe(t->facts[i].shown ? t->facts[i].shown : t->facts[i].value, f);
        fputs(i + 1 < t->nfacts ? "\n" : "\n\n", f);
    }
    if (t->layout == LAYOUT_BLOCKS)
        put_blocks(t, form, f);
    else if (t->layout == LAYOUT_PROSE)
        prose_put(t, form, f);
    else
        put_table(t, form, f);
    if (t->nleft_out)
        fprintf(f, "... and %llu more\n", (unsigned long long)t->nleft_out);
    putc('\n', f);
}

void
export_text(const struct table *t, const struct export_form *form, FILE *f)
{
    for (; t; t = t->next)
        put_view(t, form, f);
}
