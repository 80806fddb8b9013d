/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/bytes.h"

struct table *
table_new(const char *command, enum table_layout layout)
{
    struct table *t = mem_realloc(NULL, sizeof(*t));

    *t = (struct table){ .command = command, .title = "", .layout = layout };
    return t;
}

void
table_free(struct table *t)
{
    for (struct table *next; t; t = next) {
        next = t->next;
        free(t->facts);
        free(t->columns);
        free(t->rows);
        arena_free(&t->arena);
        free(t);
    }
}

void
table_follow(struct table **first, struct table *last)
{
    while (*first)
        first = &(*first)->next;
    *first = last;
}

static __attribute__((format(printf, 2, 0))) const char *
keep_vprintf(struct table *t, const char *format, va_list ap)
{
    char *text = NULL;
    const char *kept;

    if (vasprintf(&text, format, ap) < 0)
        return "";
    kept = arena_strdup(&t->arena, text);
    free(text);
    return kept;
}

void
table_title(struct table *t, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    t->title = keep_vprintf(t, format, ap);
    va_end(ap);
}

void
table_fact(struct table *t, const char *key, const char *title, const char *value)
{
    if (!value || !*value)
        return;
    t->facts = mem_grow(t->facts, t->nfacts, sizeof(*t->facts));
    t->facts[t->nfacts++] = (struct fact){
        .key = arena_strdup(&t->arena, key),
        .title = arena_strdup(&t->arena, title),
        .value = arena_strdup(&t->arena, value),
    };
}

void
table_fact_bytes(struct table *t, const char *key, const char *title, u64 bytes)
{
    char shown[BYTES_MAX];

    table_fact(t, key, title,
               arena_printf(&t->arena, "%llu", (unsigned long long)bytes));
    if (bytes_shown(bytes, shown))
        t->facts[t->nfacts - 1].shown = arena_strdup(&t->arena, shown);
}

void
table_fact_blocks(struct table *t, const char *key, const char *title, u64 blocks,
                  u64 bytes, const char *after)
{
    const char *text = arena_printf(&t->arena, "%llu block%s, ",
                                    (unsigned long long)blocks, blocks == 1 ? "" : "s");
    char shown[BYTES_MAX];

    table_fact(t, key, title,
               arena_printf(&t->arena, "%s%llu bytes%s", text,
                            (unsigned long long)bytes, after));
    if (bytes_shown(bytes, shown))
        t->facts[t->nfacts - 1].shown =
            arena_printf(&t->arena, "%s%s%s", text, shown, after);
}

u32
table_column(struct table *t, const char *key, const char *title, const char *unit,
             enum column_type type, unsigned flags)
{
    assert(!t->nrows);
    t->columns = mem_grow(t->columns, t->ncolumns, sizeof(*t->columns));
    t->columns[t->ncolumns] = (struct column){
        .key = arena_strdup(&t->arena, key),
        .title = arena_strdup(&t->arena, title),
        .unit = arena_strdup(&t->arena, unit),
        .type = type,
        .flags = flags,
    };
    return t->ncolumns++;
}

void
table_row(struct table *t, unsigned flags)
{
    t->rows = mem_grow(t->rows, t->nrows, sizeof(*t->rows));
    t->rows[t->nrows++] = (struct table_row){
        .cells = arena_alloc(&t->arena, t->ncolumns * sizeof(struct cell)),
        .flags = flags,
    };
}

void
table_function(struct table *t, u32 function)
{
    assert(t->nrows);
    t->rows[t->nrows - 1].function = function;
}

static struct cell *
cell(struct table *t, u32 column)
{
    struct cell *c;

    assert(t->nrows && column < t->ncolumns);
    c = &t->rows[t->nrows - 1].cells[column];
    c->state = CELL_SET;
    return c;
}

void
table_text(struct table *t, u32 column, const char *text)
{
    if (text)
        cell(t, column)->text = arena_strdup(&t->arena, text);
}

void
table_format(struct table *t, u32 column, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    cell(t, column)->text = keep_vprintf(t, format, ap);
    va_end(ap);
}

void
table_number(struct table *t, u32 column, u64 number)
{
    cell(t, column)->number = number;
}

void
table_real(struct table *t, u32 column, double real)
{
    cell(t, column)->real = real;
}

/*
 * Get how many bytes of the arena a list of some length has. The room is doubled when
 * it is full, as a list may have thousands of lines.
 */
static size_t
room_of(size_t length)
{
    size_t room = 64;

    while (room <= length)
        room *= 2;
    return room;
}

void
table_line(struct table *t, u32 column, const char *text)
{
    struct cell *c = &t->rows[t->nrows - 1].cells[column];
    size_t has = !c->length && c->state == CELL_SET ? strlen(c->text) : c->length;
    size_t before = c->state == CELL_SET ? has + 1 : 0;
    size_t length = before + strlen(text);
    char *list = (char *)(uintptr_t)c->text;

    if (length > UINT32_MAX)
        return;
    /* The text has no such room yet (its length is not known), or the room is full. */
    if (!c->length || length >= room_of(c->length)) {
        list = arena_alloc(&t->arena, room_of(length));
        if (before)
            memcpy(list, c->text, before);
    }
    if (before)
        list[before - 1] = '\n';
    for (size_t i = 0; text[i]; i++)
        list[before + i] = text[i] == '\n' ? ' ' : text[i];
    list[length] = '\0';
    c->text = list;
    c->length = (u32)length;
    c->state = CELL_SET;
}
