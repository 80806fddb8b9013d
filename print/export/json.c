/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes json, one document for each command:
 *
 * {"command": ..., "error": null, "tables": [{"title": ..., "facts": {...}, "columns":
 * [{"key", "title", "unit"}...], "rows": [{key: value...}...], "left_out": n}...]}
 *
 * If a command failed, error is a sentence, and there is no table. Times are in
 * seconds; a list is an array; what is not known is null.
 */
#include <string.h>

#include "print/export/export.h"
#include "print/export/value.h"

static void
put_string(const char *s, FILE *f)
{
    putc('"', f);
    value_write_json(s, strlen(s), f);
    putc('"', f);
}

/* Write the lines of a heading as one string. */
static void
put_title(const char *s, FILE *f)
{
    putc('"', f);
    for (size_t n; *s; s += n) {
        n = strcspn(s, "\n");
        value_write_json(s, n, f);
        if (s[n] == '\n') {
            putc(' ', f);
            n++;
        }
    }
    putc('"', f);
}

static void
put_list(const char *s, FILE *f)
{
    putc('[', f);
    for (;;) {
        size_t n = strcspn(s, "\n");

        putc('"', f);
        value_write_json(s, n, f);
        putc('"', f);
        if (!s[n])
            break;
        fputs(", ", f);
        s += n + 1;
    }
    putc(']', f);
}

static void
put_cell(const struct column *c, const struct cell *v, FILE *f)
{
    char buf[VALUE_MAX];

    if (v->state == CELL_EMPTY)
        fputs("null", f);
    else if (c->type == COL_LIST)
        put_list(v->text, f);
    else if (c->type == COL_TEXT || c->type == COL_ADDRESS)
        put_string(value_plain(c, v, buf), f);
    else
        fputs(value_plain(c, v, buf), f);
}

static void
put_columns(const struct table *t, FILE *f)
{
    const char *sep = "\n";

    fputs("  \"columns\": [", f);
    for (u32 i = 0; i < t->ncolumns; i++) {
        const struct column *c = &t->columns[i];

        if (c->flags & COL_TEXT_ONLY)
            continue;
        fprintf(f, "%s    {\"key\": ", sep);
        put_string(c->key, f);
        fputs(", \"title\": ", f);
        put_title(c->title, f);
        fputs(", \"unit\": ", f);
        put_string(c->unit, f);
        putc('}', f);
        sep = ",\n";
    }
    fputs("\n  ],\n", f);
}

static void
put_row(const struct table *t, const struct table_row *r, FILE *f)
{
    const char *sep = "    {";

    for (u32 i = 0; i < t->ncolumns; i++) {
        if (t->columns[i].flags & COL_TEXT_ONLY)
            continue;
        fputs(sep, f);
        put_string(t->columns[i].key, f);
        fputs(": ", f);
        put_cell(&t->columns[i], &r->cells[i], f);
        sep = ", ";
    }
    putc('}', f);
}

static void
put_facts(const struct table *t, FILE *f)
{
    const char *sep = "";

    fputs("  \"facts\": {", f);
    for (u32 i = 0; i < t->nfacts; i++) {
        fputs(sep, f);
        put_string(t->facts[i].key, f);
        fputs(": ", f);
        put_string(t->facts[i].value, f);
        sep = ", ";
    }
    fputs("},\n", f);
}

/* Write the members of the object that stands for a table. */
static void
put_table(const struct table *t, FILE *f)
{
    fputs("  \"title\": ", f);
    put_string(t->title, f);
    fputs(",\n", f);
    put_facts(t, f);
    put_columns(t, f);
    fputs("  \"rows\": [", f);
    for (u32 r = 0; r < t->nrows; r++) {
        fputs(r ? ",\n" : "\n", f);
        put_row(t, &t->rows[r], f);
    }
    fprintf(f, "%s],\n  \"left_out\": %llu\n", t->nrows ? "\n  " : "",
            (unsigned long long)t->nleft_out);
}

static void
begin(const char *command, FILE *f)
{
    fputs("{\n  \"command\": ", f);
    put_string(command, f);
    fputs(",\n  \"error\": ", f);
}

void
export_json(const struct table *t, const struct export_form *form, FILE *f)
{
    (void)form;
    begin(t->command, f);
    fputs("null,\n  \"tables\": [{\n", f);
    for (; t; t = t->next) {
        put_table(t, f);
        if (t->next)
            fputs("  }, {\n", f);
    }
    fputs("  }]\n}\n", f);
}

void
export_json_error(const char *command, const char *sentence, FILE *f)
{
    begin(command, f);
    put_string(sentence, f);
    fputs(",\n  \"tables\": []\n}\n", f);
}
