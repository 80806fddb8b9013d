/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/tracescan.h"

#include <errno.h>
#include <string.h>

#include "print/model/filter/cuts.h"
#include "print/model/region/regionlanes.h"

enum {
    NO_WISH = UINT32_MAX,
};

struct trace_scan {
    struct experiment *experiment;
    const struct trace_sink *sink;
    bool all; /* without the filter */
    u32 wish[SCHEMA_KINDS];
    struct trace_fields fields[SCHEMA_KINDS];
    int node[SCHEMA_KINDS]; /* the field `node` */
    struct bound_filter *filter[SCHEMA_KINDS]; /* NULL = all pass */
    int time[SCHEMA_KINDS];                    /* the field `time` */
    struct cuts cuts[SCHEMA_KINDS];            /* where the filter changes its answer */
    const struct region_lanes *regions[SCHEMA_KINDS]; /* the same, or NULL */
    u32 index; /* the experiment's */
    u32 shift; /* of record times */
    struct slicer slicer[TRACE_WORKERS];
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

static int
bind(struct trace_scan *scan, struct session *session, u32 experiment,
     const struct schema_file *schema)
{
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        const struct schema_record *record = &schema->record[i];

        bind_kind(scan, record, i);
        scan->node[i] = schema_find_number(record, "node");
        scan->time[i] = schema_find_number(record, "time");
        if (scan->wish[i] == NO_WISH || scan->all)
            continue;
        if (filterbind(session, experiment, schema, record, false,
                       &scan->filter[i]) < 0 ||
            cuts_add_bound(&scan->cuts[i], scan->filter[i]) < 0)
            return -ENOMEM;
        cuts_seal(&scan->cuts[i]);
        if (scan->filter[i])
            scan->regions[i] = scan->filter[i]->regions;
    }
    return 0;
}

/*
 * Is it known that the file has none of the wanted records? Then it need not be read:
 * records of OpenMP are in the file of clock hits, which is large.
 */
static bool
is_without(const struct trace_scan *scan, enum er_file file,
           const struct schema_file *schema)
{
    if (file != FILE_profile)
        return false;
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        if (scan->wish[i] != NO_WISH &&
            !reconcile_lacks(&scan->experiment->reconcile, &schema->record[i]))
            return false;
    return true;
}

static int
run(struct session *session, u32 experiment, enum er_file file,
    const struct trace_sink *sink, bool all)
{
    struct trace_scan scan = { .experiment = session->experiment[experiment],
                               .sink = sink, .all = all,
                               .index = experiment };
    struct record_sink records = { on_batch, &scan, false };
    struct record_source source;
    int ret;

    if (experiment_source(scan.experiment, file, &source) < 0)
        return -ENOENT;
    scan.shift = source.schema->time_shift;
    ret = bind(&scan, session, experiment, source.schema);
    if (ret == 0 && !is_without(&scan, file, source.schema))
        ret = records_scan(&source, &records,
                           all ? 1 : records_workers(&source, TRACE_WORKERS), NULL);
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        filterbind_free(scan.filter[i]);
        cuts_free(&scan.cuts[i]);
    }
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        if (ret == 0 && scan.slicer[i].no_memory)
            ret = -ENOMEM;
        slicer_free(&scan.slicer[i]);
    }
    return ret;
}

int
tracescan_run(struct session *session, u32 experiment, enum er_file file,
              const struct trace_sink *sink)
{
    return run(session, experiment, file, sink, false);
}

int
tracescan_all(struct session *session, u32 experiment, enum er_file file,
              const struct trace_sink *sink)
{
    return run(session, experiment, file, sink, true);
}

u32
tracescan_slot(const struct trace_row *row, u32 thread)
{
    return threads_slot(&row->scan->experiment->threads, thread);
}

static struct filter_event
event_of(const struct trace_row *row)
{
    const struct trace_scan *scan = row->scan;
    const struct thread_row *threads = scan->experiment->threads.row;
    int node = scan->node[row->record->number];
    struct filter_event event = { .row = row->row };

    if (row->slot) {
        event.thread = threads[row->slot - 1].id;
        event.tid = threads[row->slot - 1].tid;
    }
    if (node >= 0 && row->row[node] <= scan->experiment->nodes.count)
        event.stack = (u32)row->row[node];
    return event;
}

bool
tracescan_passes(const struct trace_row *row)
{
    const struct bound_filter *filter = row->scan->filter[row->record->number];
    struct filter_event event;

    if (!filter)
        return true;
    event = event_of(row);
    return filterbind_ask(filter, &event);
}

bool
tracescan_share(const struct trace_row *row, u64 took, struct trace_share *out)
{
    struct trace_scan *scan = row->scan;
    u32 kind = row->record->number;
    struct slicer *slicer = &scan->slicer[row->worker];
    bool any = false;

    *out = (struct trace_share){ took, true };
    if ((!scan->cuts[kind].count && !scan->regions[kind]) || scan->time[kind] < 0)
        return tracescan_passes(row);
    *out = (struct trace_share){ 0, false };
    slicer->cuts = &scan->cuts[kind];
    slicer->regions = regionlanes_of(scan->regions[kind], scan->index, row->slot);
    slicer->shift = scan->shift;
    slicer_cut(slicer, row->row[scan->time[kind]], took);
    for (u32 i = 0; i < slicer->count; i++) {
        const struct piece *piece = &slicer->piece[i];
        struct filter_event event = event_of(row);

        event.moment = &piece->moment;
        if (!filterbind_ask(scan->filter[kind], &event))
            continue;
        any = true;
        out->took += piece_share(piece, took);
        out->counts |= piece->ends;
    }
    return any;
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
