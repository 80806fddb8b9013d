/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes raw events as lines: jsonl, with an object for each event; and csv, with one
 * table for all kinds of records. Fields are those that ertools-experiment(5)
 * describes. A field in ticks is converted to ns, and _ns is appended to its name; a
 * stack node becomes the names of the stack's functions.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/value.h"
#include "print/base/array.h"
#include "print/model/symbols/stacks.h"
#include "print/out/outevents.h"
#include "share/branch.h"

/* The texts of stacks; each is made once. */
struct texts {
    char **text; /* by stack node, NULL = not made yet */
    u32 room;
};

/* A column of csv: a field that one or several kinds of records have. */
struct csv_column {
    const char *name;
    const char *unit;
};

struct writer {
    struct out *out;
    bool json;
    struct texts texts;
    struct csv_column *column;
    u32 ncolumns;
    u32 columns_room;
};

/* The columns that all records have; those of their fields follow. */
static const char *const common[] = {
    "experiment", "pid", "record", "thread", "tid", "time_ns", "stack",
};

static bool
is_ticks(const struct schema_field *field)
{
    return !strcmp(field->unit, "tick") && field->encoding != ENC_TIME;
}

/* Is the field already in one of the common columns, as the time or the stack? */
static bool
is_common(const struct schema_field *field)
{
    return field->encoding == ENC_TIME || !strcmp(field->name, "node");
}

static void
put_csv_text(const char *text, size_t len, FILE *f)
{
    putc('"', f);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"')
            putc('"', f);
        putc(text[i], f);
    }
    putc('"', f);
}

static void
put_text(const struct writer *w, const char *text, size_t len, FILE *f)
{
    if (w->json) {
        putc('"', f);
        value_write_json(text, len, f);
        putc('"', f);
    } else {
        put_csv_text(text, len, f);
    }
}

/*
 * Make a stack into text, which the caller frees: ["main","work"] for jsonl,
 * "main;work" with its quotes for csv. 0 or -ENOMEM.
 */
static int
make_stack(struct writer *w, u32 node, char **text)
{
    const char **name;
    size_t len;
    u32 count;
    FILE *f;
    int ret = outevents_stack(w->out->session, node, &name, &count);

    if (ret < 0)
        return ret;
    f = open_memstream(text, &len);
    if (f) {
        putc(w->json ? '[' : '"', f);
        for (u32 i = 0; i < count; i++) {
            if (i)
                putc(w->json ? ',' : ';', f);
            if (w->json)
                put_text(w, name[i], strlen(name[i]), f);
            else
                for (const char *p = name[i]; *p; p++)
                    fputs((char[]){ *p == ';' ? ':' : *p, *p == '"' ? '"' : 0, 0 }, f);
        }
        putc(w->json ? ']' : '"', f);
        ret = fclose(f) ? -ENOMEM : 0;
    }
    free(name);
    return f ? ret : -ENOMEM;
}

static int
stack_text(struct writer *w, u32 node, const char **text)
{
    struct texts *t = &w->texts;

    if (array_room_zero(&t->text, &t->room, node + 1, sizeof(*t->text)) < 0)
        return -ENOMEM;
    if (!t->text[node] && make_stack(w, node, &t->text[node]) < 0)
        return -ENOMEM;
    *text = t->text[node];
    return 0;
}

/* Write a stack other than the record's own, such as where a lock was acquired. */
static int
put_stack(struct writer *w, const struct outevent *event, u64 id, FILE *f)
{
    const char *text;
    u32 node;

    if (!id || id >= event->experiment->nodes.count) {
        fputs(w->json ? "null" : "", f);
        return 0;
    }
    if (stacks_of(w->out->session, event->index, (u32)id, &node) < 0 ||
        stack_text(w, node, &text) < 0)
        return -ENOMEM;
    fputs(text, f);
    return 0;
}

/*
 * Write a branch stack like `perf script`: 0xFROM/0xTO/M|P/X/A/CYCLES, with - for a
 * flag that is not set.
 */
static void
put_steps(const struct er_str *steps, FILE *f)
{
    const unsigned char *p = (const void *)steps->s, *end = p + steps->len;
    struct branch b;
    u64 at = 0;

    putc('"', f);
    for (bool more = false; branch_get(&p, end, &at, &b); more = true)
        fprintf(f, "%s0x%" PRIx64 "/0x%" PRIx64 "/%c/%c/%c/%u", more ? " " : "", b.from,
                b.to,
                b.flags & BRANCH_MISPREDICTED ? 'M'
                : b.flags & BRANCH_PREDICTED  ? 'P'
                                              : '-',
                b.flags & BRANCH_IN_TRANSACTION ? 'X' : '-',
                b.flags & BRANCH_ABORT ? 'A' : '-', b.cycles);
    putc('"', f);
}

static int
put_value(struct writer *w, const struct outevent *event, u32 field, FILE *f)
{
    const struct schema_field *desc = &event->record->field[field];
    u64 value = event->row[field];

    if (desc->encoding == ENC_NODE)
        return put_stack(w, event, value, f);
    if (desc->encoding == ENC_STR) {
        const struct er_str *text = (const struct er_str *)(uintptr_t)value;

        if (!strcmp(desc->unit, "branches"))
            put_steps(text, f);
        else
            put_text(w, text->s, text->len, f);
    } else if (is_ticks(desc)) {
        fprintf(f, "%" PRIu64, clock_scaled(value, event->tick));
    } else if (desc->encoding == ENC_DELTA) {
        fprintf(f, "%" PRId64, (int64_t)value);
    } else {
        fprintf(f, "%" PRIu64, value);
    }
    return 0;
}

static int
put_json(void *context, const struct outevent *event)
{
    struct writer *w = context;
    const struct experiment *e = event->experiment;
    const char *base = experiment_base(e), *stack;
    FILE *f = w->out->f;

    fputs("{\"experiment\":", f);
    put_text(w, base, strlen(base), f);
    fprintf(f, ",\"pid\":%u,\"record\":\"%s\"", e->pid, event->record->name);
    if (event->thread)
        fprintf(f, ",\"thread\":%u,\"tid\":%u", event->thread->id, event->thread->tid);
    fprintf(f, ",\"time_ns\":%" PRIu64, event->ns);
    for (u32 i = 0; i < event->record->nfields; i++) {
        const struct schema_field *field = &event->record->field[i];

        if (is_common(field))
            continue;
        fprintf(f, ",\"%s%s\":", field->name, is_ticks(field) ? "_ns" : "");
        if (put_value(w, event, i, f) < 0)
            return -ENOMEM;
    }
    if (event->node) {
        if (stack_text(w, event->node, &stack) < 0)
            return -ENOMEM;
        fprintf(f, ",\"stack\":%s", stack);
    }
    fputs("}\n", f);
    return ferror(f) ? -EIO : 0;
}

static int
put_csv(void *context, const struct outevent *event)
{
    struct writer *w = context;
    const struct experiment *e = event->experiment;
    const char *base = experiment_base(e), *stack = "";
    FILE *f = w->out->f;

    if (event->node && stack_text(w, event->node, &stack) < 0)
        return -ENOMEM;
    put_text(w, base, strlen(base), f);
    fprintf(f, ",%u,%s,", e->pid, event->record->name);
    if (event->thread)
        fprintf(f, "%u,%u", event->thread->id, event->thread->tid);
    else
        putc(',', f);
    fprintf(f, ",%" PRIu64 ",%s", event->ns, stack);
    for (u32 i = 0; i < w->ncolumns; i++) {
        int field = schema_find_field(event->record, w->column[i].name);

        putc(',', f);
        if (field >= 0 &&
            !strcmp(event->record->field[field].unit, w->column[i].unit) &&
            put_value(w, event, (u32)field, f) < 0)
            return -ENOMEM;
    }
    putc('\n', f);
    return ferror(f) ? -EIO : 0;
}

/* Fields with the same name but different units get columns of their own. */
static int
add_column(struct writer *w, const struct schema_field *field)
{
    for (u32 i = 0; i < w->ncolumns; i++)
        if (!strcmp(w->column[i].name, field->name) &&
            !strcmp(w->column[i].unit, field->unit))
            return 0;
    if (is_common(field))
        return 0;
    if (array_room(&w->column, &w->columns_room, w->ncolumns + 1,
                   sizeof(*w->column)) < 0)
        return -ENOMEM;
    w->column[w->ncolumns++] = (struct csv_column){ field->name, field->unit };
    return 0;
}

static bool
is_double(const struct writer *w, u32 column)
{
    for (u32 i = 0; i < w->ncolumns; i++)
        if (i != column && !strcmp(w->column[i].name, w->column[column].name))
            return true;
    for (u32 i = 0; i < ER_COUNT(common); i++)
        if (!strcmp(common[i], w->column[column].name))
            return true;
    return false;
}

/* Write a column's name; its unit is appended if several columns have that name. */
static void
put_column(const struct writer *w, u32 column)
{
    const struct csv_column *c = &w->column[column];
    bool ticks = !strcmp(c->unit, "tick");

    fprintf(w->out->f, ",%s%s", c->name, ticks ? "_ns" : "");
    if (ticks || !is_double(w, column))
        return;
    putc('_', w->out->f);
    for (const char *p = c->unit; *p; p++)
        putc(*p == ' ' || *p == '/' ? '_' : *p, w->out->f);
}

static int
add_columns(struct writer *w, const struct schema_record *record)
{
    u32 fields = outevents_has(record) ? record->nfields : 0;
    int ret = 0;

    for (u32 i = 0; i < fields && ret == 0; i++)
        ret = add_column(w, &record->field[i]);
    return ret;
}

static int
put_header(struct writer *w)
{
    int ret = 0;

    for (u32 i = 0; i < w->out->session->nexperiments; i++)
        for (u32 file = 0; file < FILE_COUNT; file++) {
            struct record_source source;

            if (er_files[file].layout != LAYOUT_CHUNKS ||
                experiment_source(w->out->session->experiment[i], file, &source) < 0)
                continue;
            for (u32 k = 0; k < SCHEMA_KINDS && ret == 0; k++)
                ret = add_columns(w, &source.schema->record[k]);
        }
    for (u32 i = 0; i < ER_COUNT(common); i++)
        fprintf(w->out->f, i ? ",%s" : "%s", common[i]);
    for (u32 i = 0; i < w->ncolumns; i++)
        put_column(w, i);
    putc('\n', w->out->f);
    return ret;
}

static int
write_events(struct out *out, bool json)
{
    struct writer w = { .out = out, .json = json };
    int ret = json ? 0 : put_header(&w);

    for (u32 i = 0; i < out->session->nexperiments && ret == 0; i++) {
        if (out->only && i + 1 != out->only)
            continue;
        for (u32 file = 0; file < FILE_COUNT && ret == 0; file++)
            ret = outevents_scan(out, i, (enum er_file)file, json ? put_json : put_csv,
                                 &w);
    }
    for (u32 i = 0; i < w.texts.room; i++)
        free(w.texts.text[i]);
    free(w.texts.text);
    free(w.column);
    /* ferror() will say that writing failed. */
    return ret == -EIO ? 0 : ret;
}

int
out_jsonl(struct out *out)
{
    return write_events(out, true);
}

int
out_csv(struct out *out)
{
    return write_events(out, false);
}
