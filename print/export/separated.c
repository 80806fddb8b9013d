/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/export/export.h"
#include "print/export/value.h"

enum {
    NAME_MAX_BYTES = 256,
};

/*
 * How many bytes at s can be written as they are; 0: the first must be escaped, since
 * the output may go to a terminal.
 */
static unsigned
plain(const char *s)
{
    if (strchr("\t\n", *s) || (!value_utf8(s) && (unsigned char)*s >= 0xa0))
        return 1;
    return value_harmless(s);
}

/*
 * Quote a value as in RFC 4180, if it contains the separator, a quotation mark or a
 * line end.
 */
static void
put_value(const char *value, char separator, FILE *f)
{
    bool quoted = strchr(value, separator) || strpbrk(value, "\"\r\n");

    if (quoted)
        putc('"', f);
    for (unsigned n; *value; value += n ? n : 1) {
        n = plain(value);
        if (*value == '"')
            putc('"', f);
        if (n)
            fwrite(value, 1, n, f);
        else
            fprintf(f, "\\x%02x", (unsigned char)*value);
    }
    if (quoted)
        putc('"', f);
}

/* Write a list as one value; see value_write_folded(). */
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

/* Has an earlier column the same name? */
static bool
is_repeated(const struct table *t, u32 column)
{
    const struct column *c = &t->columns[column];

    for (u32 i = 0; i < column; i++)
        if (!(t->columns[i].flags & COL_TEXT_ONLY) &&
            !strcmp(t->columns[i].title, c->title) &&
            !strcmp(t->columns[i].unit, c->unit))
            return true;
    return false;
}

/*
 * The name of a column: "Excl.\nTotal CPU", "s" becomes "Excl. Total CPU (s)"; if that
 * name is not unique, it is the key.
 */
static void
name_of(const struct table *t, u32 column, char *name, size_t size)
{
    const struct column *c = &t->columns[column];
    const char *title = c->title + strspn(c->title, "\n");

    if (!*title || is_repeated(t, column))
        title = c->key;
    snprintf(name, size, *c->unit ? "%s (%s)" : "%s", title, c->unit);
    for (char *p = name; *p; p++)
        if (*p == '\n')
            *p = ' ';
}

/* The names of columns. Columns of several tables with the same name become one. */
struct names {
    char (*name)[NAME_MAX_BYTES];
    u32 count;
};

/* The index of a column among the names; names->count if it is not there. */
static u32
find(const struct names *names, const struct table *t, u32 column)
{
    char name[NAME_MAX_BYTES];
    u32 i = 0;

    name_of(t, column, name, sizeof(name));
    while (i < names->count && strcmp(names->name[i], name))
        i++;
    return i;
}

static void
collect(struct names *names, const struct table *first)
{
    for (const struct table *t = first; t; t = t->next)
        for (u32 i = 0; i < t->ncolumns; i++) {
            if (t->columns[i].flags & COL_TEXT_ONLY ||
                find(names, t, i) < names->count)
                continue;
            names->name = mem_grow(names->name, names->count, sizeof(*names->name));
            name_of(t, i, names->name[names->count++], NAME_MAX_BYTES);
        }
}

static void
put_rows(const struct table *t, char separator, FILE *f)
{
    for (u32 r = 0; r < t->nrows; r++) {
        bool more = false;

        for (u32 i = 0; i < t->ncolumns; i++) {
            if (t->columns[i].flags & COL_TEXT_ONLY)
                continue;
            if (more)
                putc(separator, f);
            put_cell(&t->columns[i], &t->rows[r].cells[i], separator, f);
            more = true;
        }
        putc('\n', f);
    }
}

/*
 * Write the rows of one of several tables: the table's title, then a value for each
 * column.
 */
static void
put_part(const struct table *t, const struct names *names, char separator, FILE *f)
{
    u32 *at = mem_realloc(NULL, (names->count + 1) * sizeof(*at));

    memset(at, 0xff, (names->count + 1) * sizeof(*at));
    for (u32 i = 0; i < t->ncolumns; i++)
        if (!(t->columns[i].flags & COL_TEXT_ONLY))
            at[find(names, t, i)] = i;
    for (u32 r = 0; r < t->nrows; r++) {
        put_value(t->title, separator, f);
        for (u32 i = 0; i < names->count; i++) {
            putc(separator, f);
            if (at[i] < t->ncolumns)
                put_cell(&t->columns[at[i]], &t->rows[r].cells[at[i]], separator, f);
        }
        putc('\n', f);
    }
    free(at);
}

void
export_separated(const struct table *t, const struct export_form *form, FILE *f)
{
    struct names names = { 0 };
    char separator = form->separator;

    collect(&names, t);
    if (t->next)
        put_value("Table", separator, f);
    for (u32 i = 0; i < names.count; i++) {
        if (i || t->next)
            putc(separator, f);
        put_value(names.name[i], separator, f);
    }
    putc('\n', f);
    if (!t->next)
        put_rows(t, separator, f);
    for (bool several = t->next; several && t; t = t->next)
        put_part(t, &names, separator, f);
    free(names.name);
}
