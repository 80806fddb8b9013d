/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/prose.h"

#include <stdlib.h>
#include <string.h>

#include "print/export/screenstyle.h"
#include "print/export/value.h"

enum {
    WIDTH_USUAL = 80,
    WIDTH_LEAST = 40,
    PARTS = 3, /* heading, sentence, command */
};

struct paragraph {
    const struct export_form *form;
    FILE *f;
    size_t width;
    size_t indent;
    size_t used; /* columns of the line that are written */
};

static void
end_line(struct paragraph *p)
{
    putc('\n', p->f);
    fprintf(p->f, "%*s", (int)p->indent, "");
    p->used = p->indent;
}

/*
 * Write a word, or text that must stay on one line; if it does not fit, on the next
 * line.
 */
static void
put_word(struct paragraph *p, const char *word, size_t n, enum style style)
{
    char *text = strndup(word, n);
    size_t width = text ? value_width(text) : 0;

    if (p->used > p->indent && p->used + 1 + width > p->width)
        end_line(p);
    else if (p->used > p->indent)
        p->used += (size_t)fprintf(p->f, " ");
    screenstyle_begin(p->form, style, p->f);
    if (text)
        value_write_safe(text, p->f);
    screenstyle_end(p->form, style, p->f);
    p->used += width;
    free(text);
}

static void
put_sentence(struct paragraph *p, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, " ");

        /* Keep a number and its unit on one line. */
        while (n && text[n] == ' ' && strchr("0123456789", text[n - 1]) &&
               strcspn(text + n + 1, " ,.;:") <= 3)
            n += 1 + strcspn(text + n + 1, " ");
        if (n)
            put_word(p, text, n, STYLE_PLAIN);
        text += n;
        text += strspn(text, " ");
    }
}

/* Get the columns that are shown: PARTS at most. Returns how many there are. */
static u32
parts_of(const struct table *t, u32 *column)
{
    u32 n = 0;

    for (u32 i = 0; i < t->ncolumns && n < PARTS; i++)
        if (!(t->columns[i].flags & COL_DATA_ONLY))
            column[n++] = i;
    return n;
}

static const char *
text_of(const struct table_row *r, u32 column)
{
    return r->cells[column].state == CELL_SET ? r->cells[column].text : "";
}

static void
put_row(struct paragraph *p, const struct table_row *r, const u32 *column,
        const char *above)
{
    const char *heading = text_of(r, column[0]), *command = text_of(r, column[2]);
    char *bracket = NULL;

    if (strcmp(heading, above)) {
        screenstyle_begin(p->form, STYLE_HEADING, p->f);
        value_write_safe(heading, p->f);
        screenstyle_end(p->form, STYLE_HEADING, p->f);
        p->used = value_width(heading);
    }
    fprintf(p->f, "%*s", (int)(p->indent > p->used ? p->indent - p->used : 0), "");
    p->used = p->indent;
    put_sentence(p, text_of(r, column[1]));
    if (*command && asprintf(&bracket, "[%s]", command) >= 0)
        put_word(p, bracket, strlen(bracket), STYLE_FAINT);
    free(bracket);
    putc('\n', p->f);
}

void
prose_put(const struct table *t, const struct export_form *form, FILE *f)
{
    struct paragraph p = { form, f, form->width, 0, 0 };
    const char *above = "";
    u32 column[PARTS];

    if (parts_of(t, column) < PARTS)
        return;
    if (p.width < WIDTH_LEAST)
        p.width = WIDTH_USUAL;
    for (u32 r = 0; r < t->nrows; r++) {
        size_t width = value_width(text_of(&t->rows[r], column[0])) + 2;

        p.indent = width > p.indent ? width : p.indent;
    }
    for (u32 r = 0; r < t->nrows; r++) {
        p.used = 0;
        export_row_begins(t, r, form);
        put_row(&p, &t->rows[r], column, above);
        above = text_of(&t->rows[r], column[0]);
    }
}
