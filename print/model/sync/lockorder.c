/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/lockorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/bins.h"
#include "print/model/sync/locks.h"
#include "print/model/pass/tracepass.h"

enum {
    RECORDS_MAX = 1 << 20, /* records that a worker keeps */
};

enum field {
    FIELD_TIME,
    FIELD_HELD,
    FIELD_OBJECT,
    FIELD_HELD_KIND,
    FIELD_KIND,
    FIELD_HELD_NODE,
    FIELD_NODE,
};

static const struct trace_wish order_wish = {
    "order", { "time", "held", "object", "held_kind", "kind", "held_node", "node" }
};
static const struct trace_wish renew_wish = { "renew", { "time", NULL, "object" } };

/* What one worker collects. */
struct part {
    struct order_record *record;
    u32 records;
    u32 room;
    u32 left_out;
    bool no_memory;
};

/* One mention of an address in a record. */
struct place {
    u64 addr;
    u64 time;
    u32 record; /* twice the record's index; + 1 if it is the lock asked for */
    bool cut;   /* another lock came to the address since the previous place */
};

struct places {
    struct place *place; /* by address and time */
    u32 count;
};

static void
on_order(void *context, const struct trace_row *row)
{
    struct part *part = (struct part *)context + row->worker;
    struct order_record record = {
        .time = trace_get(row, FIELD_TIME),
        .held = trace_get(row, FIELD_HELD),
        .object = trace_get(row, FIELD_OBJECT),
        .held_kind = (u32)trace_get(row, FIELD_HELD_KIND),
        .kind = (u32)trace_get(row, FIELD_KIND),
        .held_node = (u32)trace_get(row, FIELD_HELD_NODE),
        .node = (u32)trace_get(row, FIELD_NODE),
        .slot = row->slot,
    };

    if (!tracepass_accepts(row) || record.held == record.object)
        return;
    if (part->records == RECORDS_MAX) {
        part->left_out++;
        return;
    }
    if (array_room(&part->record, &part->room, part->records + 1, sizeof(record)) < 0)
        part->no_memory = true;
    else
        part->record[part->records++] = record;
}

/* Order records so that those of one request are consecutive. */
static int
by_request(const void *a, const void *b)
{
    const struct order_record *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->held < y->held ? -1 : x->held > y->held;
}

static int
gather(struct part *part, struct lock_order *o)
{
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        const struct part *p = &part[i];

        if (p->no_memory ||
            array_room(&o->record, &o->room, o->records + p->records,
                       sizeof(*o->record)) < 0)
            return -ENOMEM;
        if (p->records)
            memcpy(o->record + o->records, p->record,
                   p->records * sizeof(*o->record));
        o->records += p->records;
        o->left_out += p->left_out;
    }
    if (o->records)
        qsort(o->record, o->records, sizeof(*o->record), by_request);
    for (u32 i = 0; i < o->records; i++) {
        const struct order_record *r = &o->record[i];

        if (!i || r->slot != r[-1].slot || r->time != r[-1].time ||
            r->object != r[-1].object)
            o->asks++;
        o->record[i].ask = o->asks - 1;
    }
    return 0;
}

static int
read_records(struct session *session, u32 experiment, struct lock_order *o)
{
    struct part *part = calloc(TRACE_WORKERS, sizeof(*part));
    struct trace_sink sink = { &order_wish, 1, on_order, part };
    int ret = part ? tracepass_run(session, experiment, FILE_synctrace, &sink)
                   : -ENOMEM;

    if (ret == 0)
        ret = gather(part, o);
    for (u32 i = 0; i < TRACE_WORKERS && part; i++)
        free(part[i].record);
    free(part);
    return ret;
}

static int
by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

static void
on_renew(void *context, const struct trace_row *row)
{
    struct places *places = context;
    u64 addr = trace_get(row, FIELD_OBJECT), time = trace_get(row, FIELD_TIME);
    u32 lo = 0, hi = places->count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        const struct place *at = &places->place[mid];

        if (at->addr < addr || (at->addr == addr && at->time < time))
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < places->count && places->place[lo].addr == addr)
        __atomic_store_n(&places->place[lo].cut, true, __ATOMIC_RELAXED);
}

static int
find_places(struct session *session, u32 experiment, const struct lock_order *o,
            struct places *places)
{
    struct trace_sink sink = { &renew_wish, 1, on_renew, places };

    places->place = calloc((size_t)o->records * 2 + 1, sizeof(*places->place));
    if (!places->place)
        return -ENOMEM;
    for (u32 i = 0; i < o->records; i++) {
        const struct order_record *r = &o->record[i];

        places->place[places->count++] =
            (struct place){ r->held, r->time, 2 * i, false };
        places->place[places->count++] =
            (struct place){ r->object, r->time, 2 * i + 1, false };
    }
    if (!places->count)
        return 0;
    qsort(places->place, places->count, sizeof(*places->place), by_place);
    return tracepass_run(session, experiment, FILE_synctrace, &sink);
}

/* Find the vertices of both locks in each record. */
static int
make_vertices(const struct places *places, struct lock_order *o)
{
    struct bins *bins = calloc(1, sizeof(*bins));
    u32 generation = 0;

    for (u32 i = 0; i < places->count && bins; i++) {
        const struct place *p = &places->place[i];
        struct order_record *r = &o->record[p->record / 2];
        bool asked = p->record & 1;
        struct bin_key key = { .object = p->addr };
        struct bin *bin;

        generation = i && p->addr != p[-1].addr ? 0 : generation + p->cut;
        key.node = generation;
        key.what = lock_kind(asked ? r->kind : r->held_kind);
        bin = bins_of(bins, &key);
        if (!bin)
            break;
        *(asked ? &r->to : &r->from) = (u32)(bin - bins->bin);
    }
    o->vertex = bins ? calloc((size_t)bins->count + 1, sizeof(*o->vertex)) : NULL;
    if (!o->vertex || bins->no_memory) {
        if (bins)
            bins_free(bins);
        free(bins);
        return -ENOMEM;
    }
    o->vertices = bins->count;
    for (u32 i = 0; i < bins->count; i++)
        o->vertex[i] =
            (struct order_vertex){ bins->bin[i].key.object, bins->bin[i].key.what };
    bins_free(bins);
    free(bins);
    return 0;
}

static int
by_ends(const void *a, const void *b)
{
    const struct order_record *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->ask < y->ask ? -1 : x->ask > y->ask;
}

static void
list_edges(struct lock_order *o)
{
    for (u32 i = 0; i < o->records; i++) {
        const struct order_record *r = &o->record[i];

        if (!o->edges || o->edge[o->edges - 1].from != r->from ||
            o->edge[o->edges - 1].to != r->to)
            o->edge[o->edges++] = (struct order_edge){ r->from, r->to, i, 0 };
        o->edge[o->edges - 1].count++;
    }
    for (u32 v = 0, e = 0; v <= o->vertices; v++) {
        while (e < o->edges && o->edge[e].from < v)
            e++;
        o->out[v] = e;
    }
}

/* List the records' indices by their member `ask`: a counting sort. */
static void
list_requests(struct lock_order *o)
{
    for (u32 i = 0; i < o->records; i++)
        o->ask[o->record[i].ask + 1]++;
    for (u32 i = 0; i < o->asks; i++)
        o->ask[i + 1] += o->ask[i];
    for (u32 i = o->records; i-- > 0;)
        o->by_ask[--o->ask[o->record[i].ask + 1]] = i;
    memmove(o->ask, o->ask + 1, o->asks * sizeof(*o->ask));
    o->ask[o->asks] = o->records;
}

static int
make_graph(struct lock_order *o)
{
    o->edge = calloc((size_t)o->records + 1, sizeof(*o->edge));
    o->out = calloc((size_t)o->vertices + 1, sizeof(*o->out));
    o->by_ask = calloc((size_t)o->records + 1, sizeof(*o->by_ask));
    o->ask = calloc((size_t)o->asks + 2, sizeof(*o->ask));
    if (!o->edge || !o->out || !o->by_ask || !o->ask)
        return -ENOMEM;
    if (o->records)
        qsort(o->record, o->records, sizeof(*o->record), by_ends);
    list_edges(o);
    list_requests(o);
    return 0;
}

int
lockorder_read(struct session *session, u32 experiment, struct lock_order *out)
{
    struct lock_order o = { 0 };
    struct places places = { 0 };
    int ret = read_records(session, experiment, &o);

    if (ret == 0)
        ret = find_places(session, experiment, &o, &places);
    if (ret == 0)
        ret = make_vertices(&places, &o);
    if (ret == 0)
        ret = make_graph(&o);
    free(places.place);
    if (ret < 0)
        lockorder_free(&o);
    else
        *out = o;
    return ret;
}

void
lockorder_free(struct lock_order *o)
{
    free(o->record);
    free(o->vertex);
    free(o->edge);
    free(o->out);
    free(o->by_ask);
    free(o->ask);
    memset(o, 0, sizeof(*o));
}
