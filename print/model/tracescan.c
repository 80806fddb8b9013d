/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/tracescan.h"

#include <errno.h>
#include <string.h>

enum {
    NO_WISH = UINT32_MAX,
};

static void
bind_fields(struct trace_fields *fields, const struct schema_record *record,
            const struct trace_wish *wish)
{
    for (u32 i = 0; i < TRACE_FIELDS; i++)
        fields->at[i] =
            wish->field[i] ? schema_find_field(record, wish->field[i]) : -1;
}

static void
bind_kind(struct trace_scan *scan, const struct schema_record *record, u32 kind)
{
    scan->wish[kind] = NO_WISH;
    for (u32 i = 0; i < scan->sink->wishes && record->nfields; i++) {
        const struct trace_wish *wish = &scan->sink->wish[i];

        if (strcmp(wish->record, record->name))
            continue;
        scan->wish[kind] = i;
        bind_fields(&scan->fields[kind], record, wish);
    }
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct trace_scan *scan = context;
    u32 kind = batch->record->number;
    struct trace_row row = {
        .scan = scan,
        .record = batch->record,
        .fields = &scan->fields[kind],
        .row = batch->row,
        .wish = scan->wish[kind],
        .worker = batch->worker,
    };

    if (row.wish == NO_WISH)
        return;
    row.slot = threads_slot(&scan->experiment->threads, batch->thread);
    for (u32 i = 0; i < batch->count; i++, row.row += batch->record->nfields)
        scan->sink->row(scan->sink->context, &row);
}

/*
 * Is it known that the file has none of the wanted records? Then it need not be read:
 * records of OpenMP are in the file of clock hits, which is large.
 */
static bool
is_without(const struct trace_scan *scan)
{
    if (scan->file != FILE_profile)
        return false;
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        if (tracescan_reads(scan, i) &&
            !reconcile_lacks(&scan->experiment->reconcile,
                             &scan->source.schema->record[i]))
            return false;
    return true;
}

int
tracescan_open(struct trace_scan *scan, struct session *session, u32 experiment,
               enum er_file file)
{
    scan->experiment = session->experiment[experiment];
    scan->index = experiment;
    scan->file = file;
    if (experiment_source(scan->experiment, file, &scan->source) < 0)
        return -ENOENT;
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        const struct schema_record *record = &scan->source.schema->record[i];

        bind_kind(scan, record, i);
        scan->node[i] = schema_find_number(record, "node");
        scan->time[i] = schema_find_number(record, "time");
    }
    return 0;
}

int
tracescan_read(struct trace_scan *scan, u32 workers)
{
    struct record_sink records = { on_batch, scan, false };

    if (is_without(scan))
        return 0;
    if (workers > 1)
        workers = scan_workers(&scan->source, workers);
    return records_scan(&scan->source, &records, workers, NULL);
}

bool
tracescan_reads(const struct trace_scan *scan, u32 kind)
{
    return scan->wish[kind] != NO_WISH;
}

int
tracescan_all(struct session *session, u32 experiment, enum er_file file,
              const struct trace_sink *sink)
{
    struct trace_scan scan = { .sink = sink };
    int ret = tracescan_open(&scan, session, experiment, file);

    return ret < 0 ? ret : tracescan_read(&scan, 1);
}

u32
tracescan_slot(const struct trace_row *row, u32 thread)
{
    return threads_slot(&row->scan->experiment->threads, thread);
}

struct er_str
trace_text(const struct trace_row *row, u32 field)
{
    int at = row->fields->at[field];

    if (at < 0 || row->record->field[at].encoding != ENC_STR)
        return (struct er_str){ "", 0 };
    return *(const struct er_str *)(uintptr_t)row->row[at];
}

int
tracescan_rate(struct experiment *e, enum er_file file, double *rate)
{
    const struct schema_file *schema = e->file[file].schema;

    if (experiment_clock(e) < 0)
        return -ENOMEM;
    *rate = clock_rate(&e->clock);
    if (schema)
        *rate *= (double)((u64)1 << schema->time_shift);
    return 0;
}

u64
tracescan_since(const struct experiment *e, enum er_file file, u64 time)
{
    u32 shift = e->file[file].schema->time_shift;

    return experiment_since(e, clock_mono(&e->clock, time << shift));
}
