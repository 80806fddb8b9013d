/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/counters.h"

#include <stdlib.h>
#include <string.h>

static const char *
attribute(const struct log_element *element, const char *name)
{
    for (u32 i = 0; i < element->nattrs; i++)
        if (!strcmp(element->attr[i].name, name))
            return element->attr[i].value;
    return NULL;
}

void
counters_read(struct counters *out, const struct log *log)
{
    memset(out, 0, sizeof(*out));
    for (u32 i = 0; i < ER_COUNTERS; i++)
        out->row[i].metric = -1;
    for (u32 i = 0; i < log->nelements; i++) {
        const struct log_element *element = &log->element[i];
        const char *index, *interval, *name, *unit;
        unsigned long at;

        if (strcmp(element->name, "counter"))
            continue;
        index = attribute(element, "index");
        name = attribute(element, "name");
        interval = attribute(element, "interval");
        unit = attribute(element, "unit");
        at = index ? strtoul(index, NULL, 10) : ER_COUNTERS;
        if (at >= ER_COUNTERS || !name || !*name)
            continue;
        out->row[at] = (struct counter_row){
            .name = name,
            .unit = unit ? unit : "",
            .interval = interval ? strtoull(interval, NULL, 10) : 0,
            .addresses = attribute(element, "addresses") != NULL,
            .metric = -1,
        };
        if (at >= out->count)
            out->count = (u32)at + 1;
    }
}

struct reader {
    struct counters *counters;
    int counter, value, enabled, running;
};

static u64
get(const u64 *row, int field)
{
    return field < 0 ? 0 : row[field];
}

/*
 * Called with records of totals, in any order of chunks. Totals only grow, so the
 * largest one is the last.
 */
static void
on_batch(void *context, const struct batch *batch)
{
    struct reader *t = context;

    if (strcmp(batch->record->name, "total"))
        return;
    for (u32 i = 0; i < batch->count; i++) {
        const u64 *row = batch->row + (u64)i * batch->record->nfields;
        u64 at = get(row, t->counter);
        struct counter_row *counter;

        if (t->counter < 0 || at >= t->counters->count)
            continue;
        counter = &t->counters->row[at];
        if (counter->has_total && counter->total >= get(row, t->value))
            continue;
        counter->has_total = true;
        counter->total = get(row, t->value);
        counter->enabled = get(row, t->enabled);
        counter->running = get(row, t->running);
    }
}

int
counters_totals(struct counters *counters, const struct record_source *source)
{
    const struct schema_record *record = schema_find_record(source->schema, "total");
    struct reader t = { .counters = counters };
    struct record_sink sink = { on_batch, &t, false };

    if (!record)
        return 0;
    t.counter = schema_find_number(record, "counter");
    t.value = schema_find_number(record, "value");
    t.enabled = schema_find_number(record, "enabled");
    t.running = schema_find_number(record, "running");
    return records_scan(source, &sink, 1, NULL);
}

double
counters_share(const struct counter_row *row)
{
    return row->running && row->running < row->enabled
               ? (double)row->running / (double)row->enabled
               : 1;
}

u64
counters_scaled(const struct counter_row *row, u64 value)
{
    double share = counters_share(row);

    return share < 1 ? (u64)((double)value / share) : value;
}
