/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/export/export.h"
#include "print/export/value.h"

/* Blanks wait until something follows them, so that no line ends in blanks. */
struct line {
    FILE *f;
    size_t pad;
};

static void
put_text(struct line *l, const char *text)
{
    if (!*text)
        return;
    for (; l->pad; l->pad--)
        putc(' ', l->f);
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

static int
is_text(const struct column *c)
{
    return c->type == COL_TEXT || c->type == COL_LIST || c->type == COL_BOOL;
}

static int
is_left(const struct column *c)
{
    return is_text(c) || c->flags & COL_LEFT;
}

static int
is_shown(const struct column *c)
{
    return !(c->flags & COL_DATA_ONLY);
}

/* The number'th line of a heading, of length *len; "" where it has none. */
static const char *
title_line(const char *title, u32 number, size_t *len)
{
    while (number && *title) {
        title += strcspn(title, "\n");
        title += *title == '\n';
        number--;
    }
    *len = strcspn(title, "\n");
    return title;
}

/* Widths of the columns, that of a heading over joined columns given to the first. */
static size_t *
measure(const struct table *t)
{
    size_t *width = mem_realloc(NULL, (t->ncolumns + 1) * sizeof(*width));
    char buf[VALUE_MAX];

    for (u32 i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];

        width[i] = value_width(c->unit);
        for (u32 r = 0; r < t->nrows && is_shown(c); r++) {
            size_t w = value_width(value_shown(c, &t->rows[r].cells[i], buf));

            width[i] = w > width[i] ? w : width[i];
        }
    }
    for (u32 i = 0, len_lines = 3; i < t->ncolumns; i++) {
        size_t group = width[i], len;

        if (t->columns[i].flags & COL_JOINED)
            continue;
        for (u32 j = i + 1; j < t->ncolumns && t->columns[j].flags & COL_JOINED; j++)
            group += 1 + width[j];
        for (u32 n = 0; n < len_lines; n++) {
            title_line(t->columns[i].title, n, &len);
            if (len > group) {
                width[i] += len - group;
                group = len;
            }
        }
    }
    return width;
}

static size_t
gap_before(const struct table *t, u32 i)
{
    u32 shown = 0;

    for (u32 k = 0; k < i && !shown; k++)
        shown = (u32)is_shown(&t->columns[k]);
    if (!shown)
        return 0;
    return t->columns[i].flags & COL_JOINED ? 1 : 2;
}

/* One line of the heading; returns 0, printing nothing, when no column has one. */
static int
put_heading_line(const struct table *t, const size_t *width, u32 number, FILE *f)
{
    struct line l = { .f = f };
    size_t len, owed = 0;
    int any = 0;

    for (u32 i = 0; i < t->ncolumns; i++) {
        title_line(t->columns[i].title, number, &len);
        any |= is_shown(&t->columns[i]) && len;
    }
    for (u32 i = 0; any && i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];
        const char *text = title_line(c->title, number, &len);
        char *copy;

        if (!is_shown(c))
            continue;
        if (c->flags & COL_JOINED) {
            owed += gap_before(t, i) + width[i];
            continue;
        }
        l.pad += owed + gap_before(t, i);
        copy = strndup(text, len);
        if (copy)
            put_text(&l, copy);
        free(copy);
        owed = width[i] > len ? width[i] - len : 0;
        for (size_t over = len > width[i] ? len - width[i] : 0; over;) {
            /* it stands over the joined columns too */
            size_t next = gap_before(t, i + 1) + width[i + 1];

            owed += over < next ? next - over : 0;
            over -= over < next ? over : next;
            i++;
        }
    }
    if (any)
        end_line(&l);
    return any;
}

static void
put_units(const struct table *t, const size_t *width, FILE *f)
{
    struct line l = { .f = f };
    int any = 0;

    for (u32 i = 0; i < t->ncolumns; i++)
        any |= is_shown(&t->columns[i]) && *t->columns[i].unit;
    for (u32 i = 0; any && i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];

        if (!is_shown(c))
            continue;
        l.pad += gap_before(t, i);
        put_padded(&l, c->unit, value_width(c->unit), width[i], is_left(c));
    }
    if (any)
        end_line(&l);
}

static void
put_columns_row(const struct table *t, const struct table_row *r, const size_t *width,
                FILE *f)
{
    struct line l = { .f = f };
    char buf[VALUE_MAX];

    for (u32 i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];
        const char *value;

        if (!is_shown(c))
            continue;
        value = value_shown(c, &r->cells[i], buf);
        l.pad += gap_before(t, i);
        put_padded(&l, value, value_width(value), width[i], is_left(c));
    }
    end_line(&l);
}

static void
put_table(const struct table *t, FILE *f)
{
    size_t *width = measure(t);

    for (u32 n = 0; put_heading_line(t, width, n, f);)
        n++;
    put_units(t, width, f);
    for (u32 r = 0; r < t->nrows; r++) {
        if (t->rows[r].flags & ROW_GAP)
            putc('\n', f);
        put_columns_row(t, &t->rows[r], width, f);
    }
    free(width);
}

/* A heading's lines as one, with blanks between; returns its width. */
static size_t
put_label(const char *title, FILE *f)
{
    size_t len, width = 0;

    for (u32 n = 0; *title_line(title, n, &len); n++) {
        fprintf(f, "%s%.*s", n ? " " : "", (int)len, title_line(title, n, &len));
        width += len + (n > 0);
    }
    return width;
}

/* A value; a list's strings each on a line, indented as the first is. */
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
    size_t used;

    fputs("    ", f);
    used = put_label(c->title, f);
    fprintf(f, ":%*s", (int)(label > used ? label - used : 0) + 1, "");
    put_block_value(c, without_blanks(value_shown(c, &r->cells[*at], buf), buf),
                    label + 6, f);
    if (*c->unit)
        fprintf(f, " %s", c->unit);
    for (; *at + 1 < t->ncolumns && c[1].flags & COL_JOINED; ++*at, c++) {
        const char *v = value_shown(c + 1, &r->cells[*at + 1], buf);

        fprintf(f, " (%s%s)", without_blanks(v, buf), c[1].unit);
    }
    putc('\n', f);
}

static void
put_blocks(const struct table *t, FILE *f)
{
    char buf[VALUE_MAX];
    size_t label = 0;

    for (u32 i = 1; i < t->ncolumns; i++)
        if (is_shown(&t->columns[i]) && strlen(t->columns[i].title) > label)
            label = strlen(t->columns[i].title);
    for (u32 r = 0; r < t->nrows; r++) {
        if (r)
            putc('\n', f);
        value_write_safe(value_shown(t->columns, &t->rows[r].cells[0], buf), f);
        putc('\n', f);
        for (u32 i = 1; i < t->ncolumns; i++)
            if (is_shown(&t->columns[i]) && t->rows[r].cells[i].state == CELL_SET)
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

            if (!is_shown(&t->columns[i]))
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

void
export_text(const struct table *t, char separator, FILE *f)
{
    (void)separator;
    if (t->layout == LAYOUT_PLAIN) {
        put_plain(t, f);
        return;
    }
    if (*t->title)
        fprintf(f, "%s\n\n", t->title);
    for (u32 i = 0; i < t->nfacts; i++) {
        fprintf(f, "%s: ", t->facts[i].title);
        value_write_safe(t->facts[i].value, f);
        fputs(i + 1 < t->nfacts ? "\n" : "\n\n", f);
    }
    if (t->layout == LAYOUT_BLOCKS)
        put_blocks(t, f);
    else
        put_table(t, f);
    if (t->nleft_out)
        fprintf(f, "... and %llu more\n", (unsigned long long)t->nleft_out);
    putc('\n', f);
}
