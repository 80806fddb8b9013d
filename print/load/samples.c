/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

/* State of reading sample points; fields are indices in rows, -1 = there is none. */
struct reader {
    struct samples samples;
    u32 room;
    bool no_memory;
    int mono, cause, known, label;
    int value[SAMPLE_VALUES];
};

/* The names of the fields in records.def, by enum sample_value. */
static const char *const value_names[SAMPLE_VALUES] = {
    "user",   "system",  "minflt",  "majflt", "nvcsw",   "nivcsw",
    "inblock", "oublock", "rss",    "maxrss", "threads", "handlers",
};

const char *
sample_cause_name(u32 cause)
{
    static const char *const names[] = {
        "?", "start", "periodic", "signal", "call", "pause", "resume", "exit", "end",
    };

    return cause < ER_COUNT(names) ? names[cause] : names[0];
}

static u64
get(const u64 *row, int field)
{
    return field < 0 ? 0 : row[field];
}

static char *
label_of(const u64 *row, int field)
{
    const struct er_str *str = field < 0 ? NULL : (const void *)(uintptr_t)row[field];

    return str ? strndup(str->s, str->len) : strdup("");
}

static void
add_sample(struct reader *t, const u64 *row, u32 thread)
{
    struct samples *samples = &t->samples;
    struct sample_row out = {
        .mono = get(row, t->mono),
        .cause = (u32)get(row, t->cause),
        .thread = thread,
        .known = t->known < 0 ? (1u << SAMPLE_VALUES) - 1 : (u32)row[t->known],
        .label = label_of(row, t->label),
    };

    for (int v = 0; v < SAMPLE_VALUES; v++) {
        out.value[v] = get(row, t->value[v]);
        if (t->value[v] < 0)
            out.known &= ~(1u << v);
    }
    if (!out.label ||
        array_room(&samples->row, &t->room, samples->count + 1, sizeof(out)) < 0) {
        free(out.label);
        t->no_memory = true;
        return;
    }
    samples->row[samples->count++] = out;
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct reader *t = context;
    const struct schema_record *record = batch->record;

    if (strcmp(record->name, "sample"))
        return;
    for (u32 i = 0; i < batch->count; i++)
        add_sample(t, batch->row + (u64)i * record->nfields, batch->thread);
}

static int
by_mono(const void *a, const void *b)
{
    const struct sample_row *left = a, *right = b;

    return left->mono < right->mono ? -1 : left->mono > right->mono;
}

/*
 * The index of a field that is a string; -1 if the record has no string of that name.
 */
static int
string_field(const struct schema_record *record, const char *name)
{
    int field = schema_find_field(record, name);

    return field >= 0 && record->field[field].encoding == ENC_STR ? field : -1;
}

int
samples_read(struct samples *out, const struct record_source *source)
{
    const struct schema_record *record = schema_find_record(source->schema, "sample");
    struct reader t = { 0 };
    struct record_sink sink = { on_batch, &t, false };
    int ret;

    if (!record) {
        *out = t.samples;
        return 0;
    }
    t.mono = schema_find_number(record, "mono");
    t.cause = schema_find_number(record, "cause");
    t.known = schema_find_number(record, "known");
    t.label = string_field(record, "label");
    for (int v = 0; v < SAMPLE_VALUES; v++)
        t.value[v] = schema_find_number(record, value_names[v]);
    ret = records_scan(source, &sink, 1, NULL);
    if (ret == 0 && t.no_memory)
        ret = -ENOMEM;
    if (ret < 0) {
        samples_free(&t.samples);
        return ret;
    }
    if (t.samples.count)
        qsort(t.samples.row, t.samples.count, sizeof(*t.samples.row), by_mono);
    *out = t.samples;
    return 0;
}

void
samples_free(struct samples *samples)
{
    for (u32 i = 0; i < samples->count; i++)
        free(samples->row[i].label);
    free(samples->row);
    memset(samples, 0, sizeof(*samples));
}
