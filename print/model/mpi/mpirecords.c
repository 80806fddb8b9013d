/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpirecords.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/record/streams.h"
#include "print/model/filter/filterbind.h"

enum field {
    FIELD_TIME,
    FIELD_TOOK,
    FIELD_POSTED,
    FIELD_CALL,
    FIELD_KIND,
    FIELD_COMM,
    FIELD_PEER,
    FIELD_TAG,
    FIELD_SEQ,
    FIELD_NODE,
    FIELD_POSTED_NODE,
    FIELD_KEY,
    FIELD_SIZE,
    FIELD_RANK,
    FIELD_SENT,
    FIELD_RECEIVED,
    FIELD_OVER,
    FIELD_SINCE,
    FIELD_FROM,
    FIELD_AGAIN,
    FIELD_ERROR,
    FIELD_REMOTE,
    FIELD_SIDE,
    FIELD_PARENT,
    FIELDS,
};

/*
 * The record of each mpi_event_what, and its fields' names; NULL = it has no such
 * field.
 */
static const struct {
    const char *record;
    const char *field[FIELDS];
} sources[] = {
    [MPI_EVENT_CALL] = { "mpi",
                         { [FIELD_TIME] = "time",
                           [FIELD_TOOK] = "took",
                           [FIELD_CALL] = "call",
                           [FIELD_KIND] = "kind",
                           [FIELD_COMM] = "comm",
                           [FIELD_PEER] = "peer",
                           [FIELD_TAG] = "tag",
                           [FIELD_SEQ] = "seq",
                           [FIELD_NODE] = "node",
                           [FIELD_AGAIN] = "again",
                           [FIELD_ERROR] = "error",
                           [FIELD_SENT] = "sent",
                           [FIELD_RECEIVED] = "received" } },
    [MPI_EVENT_DONE] = { "done",
                         { [FIELD_TIME] = "time",
                           [FIELD_TOOK] = "waited",
                           [FIELD_POSTED] = "posted",
                           [FIELD_CALL] = "call",
                           [FIELD_KIND] = "kind",
                           [FIELD_COMM] = "comm",
                           [FIELD_PEER] = "peer",
                           [FIELD_TAG] = "tag",
                           [FIELD_NODE] = "node",
                           [FIELD_POSTED_NODE] = "posted_node",
                           [FIELD_OVER] = "over",
                           [FIELD_RECEIVED] = "received" } },
    [MPI_EVENT_BEGUN] = { "start",
                          { [FIELD_TIME] = "time",
                            [FIELD_TOOK] = "took",
                            [FIELD_CALL] = "call",
                            [FIELD_COMM] = "comm",
                            [FIELD_PEER] = "peer",
                            [FIELD_TAG] = "tag",
                            [FIELD_SEQ] = "seq",
                            [FIELD_NODE] = "node",
                            [FIELD_SENT] = "sent" } },
    [MPI_EVENT_COMM] = { "comm",
                         { [FIELD_TIME] = "time",
                           [FIELD_KIND] = "kind",
                           [FIELD_COMM] = "id",
                           [FIELD_KEY] = "key",
                           [FIELD_SIZE] = "size",
                           [FIELD_RANK] = "rank",
                           [FIELD_REMOTE] = "remote",
                           [FIELD_SIDE] = "side",
                           [FIELD_PARENT] = "parent" } },
    [MPI_EVENT_OPEN] = { "open",
                         { [FIELD_TIME] = "time",
                           [FIELD_SINCE] = "since",
                           [FIELD_CALL] = "call",
                           [FIELD_COMM] = "comm",
                           [FIELD_PEER] = "to",
                           [FIELD_FROM] = "from",
                           [FIELD_TAG] = "tag",
                           [FIELD_SEQ] = "seq",
                           [FIELD_NODE] = "node" } },
    [MPI_EVENT_PARTNER] = { "partner",
                            { [FIELD_TIME] = "time",
                              [FIELD_CALL] = "call",
                              [FIELD_COMM] = "comm",
                              [FIELD_PEER] = "peer",
                              [FIELD_RANK] = "place" } },
};

enum { WHATS = ER_COUNT(sources) };

/* What is needed for reading the records of one rank. */
struct reader {
    struct experiment *experiment;
    const struct schema_file *schema;
    u32 host;
    u32 piece; /* the piece of its clock that was used last */
    int what[SCHEMA_KINDS]; /* by record number, -1 = left out */
    int at[SCHEMA_KINDS][FIELDS];
    struct bound_filter *filter[SCHEMA_KINDS];
};

struct reading {
    const struct mpi_clocks *clocks;
    struct reader *reader; /* by rank */
    mpi_event_fn *use;
    void *context;
};

static int
open_kind(struct session *session, u32 experiment, struct reader *r, u32 number)
{
    const struct schema_record *record = &r->schema->record[number];

    r->what[number] = -1;
    for (int i = 0; i < WHATS && record->nfields; i++) {
        if (strcmp(record->name, sources[i].record))
            continue;
        r->what[number] = i;
        for (int f = 0; f < FIELDS; f++)
            r->at[number][f] = sources[i].field[f]
                                   ? schema_find_number(record, sources[i].field[f])
                                   : -1;
    }
    if (r->what[number] < 0 || r->at[number][FIELD_TIME] < 0) {
        r->what[number] = -1;
        return 0;
    }
    return filterbind(session, experiment, r->schema, record, false,
                      &r->filter[number]);
}

static int
open_reader(struct session *session, const struct rank *rank, struct reader *r,
            struct record_source *source)
{
    int ret;

    r->experiment = session->experiment[rank->experiment];
    r->host = rank->host;
    if (experiment_source(r->experiment, FILE_mpitrace, source) < 0)
        return -ENOENT;
    r->schema = source->schema;
    ret = experiment_clock(r->experiment);
    for (u32 i = 0; i < SCHEMA_KINDS && ret == 0; i++)
        ret = open_kind(session, rank->experiment, r, i);
    return ret;
}

static int64_t
common(const struct reading *reading, struct reader *r, u64 tick)
{
    u64 mono = clock_mono_from(&r->experiment->clock, tick, &r->piece);

    return mpiclocks_common(reading->clocks, r->host, mono);
}

static int64_t
moment(void *context, u32 number, u64 tick)
{
    struct reading *reading = context;

    return common(reading, &reading->reader[number], tick);
}

static u64
get(const struct reader *r, u32 kind, const u64 *row, enum field field)
{
    int at = r->at[kind][field];

    return at < 0 ? 0 : row[at];
}

static bool
passes(const struct reader *r, u32 kind, const struct batch *record)
{
    const struct thread_row *thread =
        threads_find(&r->experiment->threads, record->thread);
    u64 node = get(r, kind, record->row, FIELD_NODE);
    struct filter_event event = { .row = record->row, .thread = record->thread,
                                  .tid = thread ? thread->tid : 0 };

    event.stack = node <= r->experiment->nodes.count ? (u32)node : 0;
    return filterbind_accepts(r->filter[kind], &event);
}

/* The kind of a call, for records that do not have it. */
static u32
kind_of(u32 call)
{
    const struct er_mpicall_desc *desc = mpicall_desc(call);

    return desc ? desc->kind : 0;
}

static bool
translate(void *context, u32 number, const struct batch *record, void *out)
{
    struct reading *reading = context;
    struct reader *r = &reading->reader[number];
    u32 kind = record->record->number, shift = r->schema->time_shift;
    const u64 *row = record->row;
    u64 time, took, posted;
    struct mpi_event e = { .thread = record->thread };

    if (r->what[kind] < 0)
        return false;
    time = row[r->at[kind][FIELD_TIME]];
    took = get(r, kind, row, FIELD_TOOK);
    posted = get(r, kind, row, FIELD_POSTED);
    e.what = (u32)r->what[kind];
    e.begun = e.what == MPI_EVENT_DONE ? time - posted : time - took;
    if (took > time || posted > time)
        return false;
    e.begin = common(reading, r, (time - took) << shift);
    e.posted = posted ? common(reading, r, (time - posted) << shift) : e.begin;
    e.end = took ? common(reading, r, time << shift) : e.begin;
    if (e.what == MPI_EVENT_OPEN) {
        e.begun = get(r, kind, row, FIELD_SINCE);
        e.begin = e.end = common(reading, r, (e.begun ? e.begun : time) << shift);
    }
    e.from = (u32)get(r, kind, row, FIELD_FROM);
    e.call = (u32)get(r, kind, row, FIELD_CALL);
    e.kind = (u32)get(r, kind, row, FIELD_KIND);
    if (!e.kind && e.what != MPI_EVENT_COMM)
        e.kind = kind_of(e.call);
    e.comm = (u32)get(r, kind, row, FIELD_COMM);
    e.peer = (u32)get(r, kind, row, FIELD_PEER);
    e.tag = (u32)get(r, kind, row, FIELD_TAG);
    e.seq = (u32)get(r, kind, row, FIELD_SEQ);
    e.node = (u32)get(r, kind, row, FIELD_NODE);
    e.posted_node = (u32)get(r, kind, row, FIELD_POSTED_NODE);
    e.key = get(r, kind, row, FIELD_KEY);
    e.size = (u32)get(r, kind, row, FIELD_SIZE);
    e.comm_rank = (u32)get(r, kind, row, FIELD_RANK);
    e.remote = (u32)get(r, kind, row, FIELD_REMOTE);
    e.side = (u32)get(r, kind, row, FIELD_SIDE);
    e.parent = (u32)get(r, kind, row, FIELD_PARENT);
    e.sent = get(r, kind, row, FIELD_SENT);
    e.received = get(r, kind, row, FIELD_RECEIVED);
    e.gives = e.sent != 0;
    e.gets = e.received != 0;
    e.again = get(r, kind, row, FIELD_AGAIN);
    e.error = (u32)get(r, kind, row, FIELD_ERROR);
    e.over = get(r, kind, row, FIELD_OVER) != 0;
    e.passes = !r->filter[kind] || passes(r, kind, record);
    memcpy(out, &e, sizeof(e));
    return true;
}

static bool
use(void *context, u32 number, const void *event)
{
    struct reading *reading = context;

    return reading->use(reading->context, number, event);
}

int
mpirecords_read(struct session *session, const struct ranks *ranks,
                const struct mpi_clocks *clocks, mpi_event_fn *fn, void *context)
{
    struct reading reading = { .clocks = clocks, .use = fn, .context = context };
    struct record_source *source = calloc((size_t)ranks->count + 1, sizeof(*source));
    struct streams_sink sink = { translate, moment, use, &reading,
                                 sizeof(struct mpi_event) };
    int ret;

    reading.reader = calloc((size_t)ranks->count + 1, sizeof(struct reader));
    ret = reading.reader && source ? 0 : -ENOMEM;
    for (u32 i = 0; i < ranks->count && ret == 0; i++) {
        ret = open_reader(session, &ranks->rank[i], &reading.reader[i], &source[i]);
        if (ret == -ENOENT)
            ret = 0; /* its source is empty */
    }
    if (ret == 0)
        ret = streams_run(source, ranks->count, &sink);
    for (u32 i = 0; i < ranks->count && reading.reader; i++)
        for (u32 k = 0; k < SCHEMA_KINDS; k++)
            filterbind_free(reading.reader[i].filter[k]);
    free(reading.reader);
    free(source);
    return ret;
}
