/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/export/export.h"
#include "print/export/value.h"

/* RFC 4180: a value with the separator, a quotation mark or a line end is quoted. */
static void
put_value(const char *value, char separator, FILE *f)
{
    if (!strchr(value, separator) && !strpbrk(value, "\"\r\n")) {
        fputs(value, f);
        return;
    }
    putc('"', f);
    for (; *value; value++) {
        if (*value == '"')
            putc('"', f);
        putc(*value, f);
    }
    putc('"', f);
}

/* A list is one value: see value_write_folded(). */
static void
put_list(const char *list, char separator, FILE *f)
{
    char *text = NULL;
    size_t size;
    FILE *mem = open_memstream(&text, &size);

    if (!mem)
        return;
    value_write_folded(list, mem);
    if (!fclose(mem))
        put_value(text, separator, f);
    free(text);
}

static void
put_cell(const struct column *c, const struct cell *v, char separator, FILE *f)
{
    char buf[VALUE_MAX];

    if (c->type == COL_LIST && v->state == CELL_SET)
        put_list(v->text, separator, f);
    else
        put_value(value_plain(c, v, buf), separator, f);
}

/* "Excl.\nTotal CPU", "s" -> "Excl. Total CPU (s)" */
static void
put_name(const struct column *c, char separator, FILE *f)
{
    char name[256];

    snprintf(name, sizeof(name), *c->unit ? "%s (%s)" : "%s", c->title, c->unit);
    for (char *p = name; *p; p++)
        if (*p == '\n')
            *p = ' ';
    put_value(name, separator, f);
}

void
export_separated(const struct table *t, const struct export_form *form, FILE *f)
{
    char separator = form->separator;
    int more = 0;

    for (u32 i = 0; i < t->ncolumns; i++) {
        if (t->columns[i].flags & COL_TEXT_ONLY)
            continue;
        if (more++)
            putc(separator, f);
        put_name(&t->columns[i], separator, f);
    }
    putc('\n', f);
    for (u32 r = 0; r < t->nrows; r++) {
        more = 0;
        for (u32 i = 0; i < t->ncolumns; i++) {
            const struct column *c = &t->columns[i];

            if (c->flags & COL_TEXT_ONLY)
                continue;
            if (more++)
                putc(separator, f);
            put_cell(c, &t->rows[r].cells[i], separator, f);
        }
        putc('\n', f);
    }
}
