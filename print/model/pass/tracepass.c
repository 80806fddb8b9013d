/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/pass/tracepass.h"

#include <errno.h>
#include <stddef.h>

#include "print/model/filter/cuts.h"
#include "print/model/lookup/regionlanes.h"

struct trace_pass {
    struct trace_scan scan;
    /* By kind of record. */
    struct bound_filter *filter[SCHEMA_KINDS]; /* NULL = all pass */
    struct cuts cuts[SCHEMA_KINDS]; /* times at which the filter's answer may change */
    /* cut also where these regions begin and end; NULL = do not */
    const struct region_lanes *regions[SCHEMA_KINDS];
    struct slicer slicer[TRACE_WORKERS];
};

/* The pass that reads the row. */
static struct trace_pass *
pass_of(const struct trace_row *row)
{
    return (struct trace_pass *)((char *)row->scan - offsetof(struct trace_pass, scan));
}

static int
bind(struct trace_pass *pass, struct session *session,
     const struct schema_file *schema)
{
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        if (!tracescan_reads(&pass->scan, i))
            continue;
        if (filterbind(session, pass->scan.index, schema, &schema->record[i], false,
                       &pass->filter[i]) < 0 ||
            cuts_add_bound(&pass->cuts[i], pass->filter[i]) < 0)
            return -ENOMEM;
        cuts_seal(&pass->cuts[i]);
        if (pass->filter[i])
            pass->regions[i] = pass->filter[i]->regions;
    }
    return 0;
}

int
tracepass_run(struct session *session, u32 experiment, enum er_file file,
              const struct trace_sink *sink)
{
    struct trace_pass pass = { .scan = { .sink = sink } };
    int ret = tracescan_open(&pass.scan, session, experiment, file);

    if (ret < 0)
        return ret;
    ret = bind(&pass, session, pass.scan.source.schema);
    if (ret == 0)
        ret = tracescan_read(&pass.scan, TRACE_WORKERS);
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        filterbind_free(pass.filter[i]);
        cuts_free(&pass.cuts[i]);
    }
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        if (ret == 0 && pass.slicer[i].no_memory)
            ret = -ENOMEM;
        cuts_free_slicer(&pass.slicer[i]);
    }
    return ret;
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
tracepass_accepts(const struct trace_row *row)
{
    const struct bound_filter *filter = pass_of(row)->filter[row->record->number];
    struct filter_event event;

    if (!filter)
        return true;
    event = event_of(row);
    return filterbind_accepts(filter, &event);
}

bool
tracepass_share(const struct trace_row *row, u64 took, struct trace_share *out)
{
    struct trace_pass *pass = pass_of(row);
    const struct trace_scan *scan = &pass->scan;
    u32 kind = row->record->number;
    struct slicer *slicer = &pass->slicer[row->worker];
    bool any = false;

    *out = (struct trace_share){ took, true };
    if ((!pass->cuts[kind].count && !pass->regions[kind]) || scan->time[kind] < 0)
        return tracepass_accepts(row);
    *out = (struct trace_share){ 0, false };
    slicer->cuts = &pass->cuts[kind];
    slicer->regions = regionlanes_of(pass->regions[kind], scan->index, row->slot);
    slicer->shift = scan->source.schema->time_shift;
    cuts_slice(slicer, row->row[scan->time[kind]], took);
    for (u32 i = 0; i < slicer->count; i++) {
        const struct piece *piece = &slicer->piece[i];
        struct filter_event event = event_of(row);

        event.moment = &piece->moment;
        if (!filterbind_accepts(pass->filter[kind], &event))
            continue;
        any = true;
        out->took += cuts_piece_share(piece, took);
        out->counts |= piece->ends;
    }
    return any;
}
