/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/outevents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/filter/filterbind.h"
#include "print/model/filter/filters.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/frames.h"
#include "print/model/sync/locks.h"
#include "share/iocall.h"
#include "share/mpicall.h"

static const char *const state_names[MSTATE_COUNT] = {
    [MSTATE_USER] = "user", [MSTATE_SYSTEM] = "system",
    [MSTATE_WAIT] = "wait for a processor", [MSTATE_LOCK] = "lock",
    [MSTATE_IO] = "I/O", [MSTATE_SLEEP] = "sleep", [MSTATE_FAULT] = "page fault",
    [MSTATE_STOP] = "stopped", [MSTATE_EVENT] = "event",
};

struct scan {
    struct session *session;
    struct outevent event;
    const struct schema_file *schema;
    int time[SCHEMA_KINDS]; /* fields, -1 = none */
    int node[SCHEMA_KINDS];
    struct bound_filter *filter[SCHEMA_KINDS];
    int (*use)(void *context, const struct outevent *event);
    void *context;
    u32 piece; /* for clock_mono_from(): where it found the last time */
    int status;
};

static bool
passes(const struct scan *s, u32 thread, u32 kind, u32 node)
{
    struct filter_event asked = {
        .row = s->event.row, .thread = thread, .stack = node
    };

    if (s->event.thread)
        asked.tid = s->event.thread->tid;
    return filterbind_accepts(s->filter[kind], &asked);
}

static int
pass_event(struct scan *s, u32 thread, u32 kind)
{
    struct outevent *event = &s->event;
    u64 id = s->node[kind] < 0 ? 0 : event->row[s->node[kind]];
    u64 mono;

    if (id >= event->experiment->nodes.count)
        id = 0;
    if (!passes(s, thread, kind, (u32)id))
        return 0;
    event->node = 0;
    if (s->node[kind] >= 0 &&
        stacks_of(s->session, event->index, (u32)id, &event->node) < 0)
        return -ENOMEM;
    mono = clock_mono_from(&event->experiment->clock,
                           event->row[s->time[kind]] << s->schema->time_shift,
                           &s->piece);
    event->ns = experiment_since(event->experiment, mono);
    return s->use(s->context, event);
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct scan *s = context;
    u32 kind = batch->record->number;

    if (s->time[kind] < 0)
        return;
    s->event.record = batch->record;
    s->event.thread = threads_find(&s->event.experiment->threads, batch->thread);
    for (u32 i = 0; i < batch->count && s->status == 0; i++) {
        s->event.row = batch->row + (u64)i * batch->record->nfields;
        s->status = pass_event(s, batch->thread, kind);
    }
}

bool
outevents_has(const struct schema_record *record)
{
    return record->nfields && strcmp(record->name, "code") != 0 &&
           strcmp(record->name, "codelines") != 0;
}

static int
bind_kinds(struct scan *s)
{
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        const struct schema_record *record = &s->schema->record[i];

        s->time[i] = s->node[i] = -1;
        if (!outevents_has(record))
            continue;
        s->time[i] = schema_find_number(record, "time");
        s->node[i] = schema_find_number(record, "node");
        if (filterbind(s->session, s->event.index, s->schema, record,
                       !strcmp(record->name, "residual"), &s->filter[i]) < 0)
            return -ENOMEM;
    }
    return 0;
}

int
outevents_scan(struct out *out, u32 experiment, enum er_file file,
               int (*use)(void *context, const struct outevent *event), void *context)
{
    struct experiment *e = out->session->experiment[experiment];
    struct scan s = {
        .session = out->session, .use = use, .context = context,
        .event = { .experiment = e, .index = experiment, .file = file },
    };
    struct record_sink sink = { on_batch, &s, false };
    struct record_source source;
    int ret;

    if (er_files[file].layout != LAYOUT_CHUNKS ||
        experiment_source(e, file, &source) < 0)
        return 0;
    s.schema = source.schema;
    if (file == FILE_calltrace) {
        s.event.calls = filters_calls(out->session, experiment);
        if (!s.event.calls)
            return -ENOMEM;
    }
    ret = experiment_clock(e);
    if (ret == 0)
        ret = bind_kinds(&s);
    if (ret == 0) {
        s.event.tick = clock_rate(&e->clock) * (double)(1ull << s.schema->time_shift);
        ret = records_scan(&source, &sink, 1, NULL);
    }
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        filterbind_free(s.filter[i]);
    return ret < 0 ? ret : s.status;
}

u64
outevent_get(const struct outevent *event, const char *field, u64 missing)
{
    int at = schema_find_number(event->record, field);

    return at < 0 ? missing : event->row[at];
}

int
outevents_scan_times(struct out *out, u32 experiment,
                     int (*use)(void *context, const struct outevent *event),
                     void *context)
{
    static const enum er_file files[] = { FILE_profile, FILE_synctrace, FILE_iotrace,
                                          FILE_mpitrace, FILE_calltrace };
    int ret = 0;

    for (u32 i = 0; i < ER_COUNT(files) && ret == 0; i++)
        ret = outevents_scan(out, experiment, files[i], use, context);
    return ret;
}

u64
outevents_base(const struct session *session)
{
    u64 base = UINT64_MAX;

    for (u32 i = 0; i < session->nexperiments; i++)
        if (session->experiment[i]->origin_mono < base)
            base = session->experiment[i]->origin_mono;
    return base;
}

/*
 * The name of the function that was called; NULL if the record with its name is lost.
 */
static const char *
callee_name(const struct outevent *event)
{
    const struct filter_calls *c = event->calls;
    u64 id = outevent_get(event, "function", 0);

    return c && id < c->ids && c->name[id] != CALLS_NO_NAME
               ? c->calls.name[c->name[id]].name
               : NULL;
}

const char *
outevent_span(const struct outevent *event, enum outspan *kind, u64 *took)
{
    const char *record = event->record->name, *name = NULL;
    u64 call = outevent_get(event, "call", 0), what;

    *took = clock_scaled(outevent_get(event, "took", 0), event->tick);
    if (!strcmp(record, "off")) {
        what = outevent_get(event, "mstate", MSTATE_COUNT);
        *took = outevent_get(event, "weight", 0);
        *kind = OUTSPAN_STATE;
        name = what < MSTATE_COUNT ? state_names[what] : NULL;
    } else if (!strcmp(record, "wait")) {
        *kind = OUTSPAN_WAIT;
        name = lock_kind_name((u32)outevent_get(event, "kind", 0));
    } else if (!strcmp(record, "io")) {
        *kind = OUTSPAN_IO;
        name = call < UINT32_MAX ? iocall_name((u32)call) : NULL;
    } else if (!strcmp(record, "mpi")) {
        const struct er_mpicall_desc *desc = mpicall_desc((u32)call);

        *kind = OUTSPAN_MPI;
        name = desc ? desc->name : NULL;
    } else if (!strcmp(record, "call")) {
        *kind = OUTSPAN_CALL;
        name = callee_name(event);
    }
    return name;
}

int
outevents_stack(struct session *session, u32 node, const char ***name, u32 *count)
{
    struct stack_frame *frame;
    int ret = frames_of(session, node, &frame, count);

    if (ret < 0)
        return ret;
    *name = calloc((size_t)*count + 1, sizeof(**name));
    for (u32 i = 0; *name && i < *count; i++)
        (*name)[i] = function_title(session, frame[*count - 1 - i].func);
    free(frame);
    return *name ? 0 : -ENOMEM;
}
