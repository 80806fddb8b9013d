/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/lookup/regionlanes.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"
#include "print/model/tracescan.h"

enum {
    WISH_PATH,
    WISH_SPAN,
    WISH_NOTICE,
    WISHES,
};

static const struct trace_wish wishes[WISHES] = {
    { "path", { "id", "parent", "name" } },
    { "span", { "time", "took", "path" } },
    { "notice", { "time", "what", "since", "path", "thread" } },
};

/*
 * State of reading one experiment. Until name_spans(), span.region is an id in records.
 */
struct loading {
    struct region_threads *threads;
    struct region_id *id;
    u32 ids, id_room;
    struct region_lane *open; /* by slot: instances recorded as still open */
    struct pool *pool;
    u32 shift;
    bool no_memory;
};

static void
add_span(struct loading *l, struct region_lane *lane, const struct region_span *span)
{
    if (array_room(&lane->span, &lane->room, lane->count + 1, sizeof(*span)) < 0)
        l->no_memory = true;
    else
        lane->span[lane->count++] = *span;
}

static void
read_path(struct loading *l, const struct trace_row *row)
{
    struct er_str name = trace_text(row, 2);
    struct region_id id = { .id = (u32)trace_get(row, 0),
                            .parent = (u32)trace_get(row, 1) };

    id.name = pool_text(&l->pool, name.s, name.len);
    if (!id.name || array_room(&l->id, &l->id_room, l->ids + 1, sizeof(id)) < 0)
        l->no_memory = true;
    else if (id.id && id.id < REGION_IDS_MAX)
        l->id[l->ids++] = id;
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct loading *l = context;
    struct region_span span = { 0 };
    u32 other;

    if (row->wish == WISH_PATH) {
        read_path(l, row);
        return;
    }
    span.to = trace_get(row, 0) << l->shift;
    if (row->wish == WISH_SPAN) {
        span.from = span.to - (trace_get(row, 1) << l->shift);
        span.region = (u32)trace_get(row, 2);
        add_span(l, &l->threads->lane[row->slot], &span);
    } else if (trace_get(row, 1) == NOTICE_OPEN) {
        span.from = span.to - (trace_get(row, 2) << l->shift);
        span.to = UINT64_MAX;
        span.region = (u32)trace_get(row, 3);
        other = (u32)trace_get(row, 4);
        add_span(l, &l->open[other ? tracescan_slot(row, other) : row->slot], &span);
    }
}

static int
compare_ids(const void *a, const void *b)
{
    const struct region_id *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * Find the region of each id. An outer region has a lower id than those within it, so
 * it is made before them. 0 or -ENOMEM.
 */
static int
name_ids(struct regions *names, struct loading *l)
{
    struct region_threads *t = l->threads;

    if (l->ids > 1)
        qsort(l->id, l->ids, sizeof(*l->id), compare_ids);
    t->ids = l->ids ? l->id[l->ids - 1].id + 1 : 1;
    t->region = calloc(t->ids, sizeof(*t->region));
    if (!t->region)
        return -ENOMEM;
    for (u32 i = 0; i < l->ids; i++) {
        const struct region_id *id = &l->id[i];
        u32 parent = id->parent < id->id ? t->region[id->parent] : 0;

        t->region[id->id] = regions_named(names, parent, id->name);
        if (!t->region[id->id])
            return -ENOMEM;
    }
    return 0;
}

static int
compare_spans(const void *a, const void *b)
{
    const struct region_span *x = a, *y = b;

    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->from > y->from ? -1 : x->from < y->from;
}

/* Did an instance that was recorded as open end later? */
static bool
has_ended(const struct region_lane *lane, const struct region_span *open)
{
    for (u32 i = lane->count; i-- > 0;)
        if (lane->span[i].from == open->from && lane->span[i].region == open->region)
            return true;
        else if (lane->span[i].to < open->from)
            return false;
    return false;
}

/* Add instances recorded as open that never ended, once if recorded repeatedly. */
static void
add_open(struct loading *l, u32 slot)
{
    struct region_lane *lane = &l->threads->lane[slot], *open = &l->open[slot];
    u32 ended = lane->count;

    for (u32 i = 0; i < open->count; i++) {
        const struct region_span *span = &open->span[i];
        bool twice = false;

        for (u32 k = ended; k < lane->count; k++)
            twice |= lane->span[k].from == span->from;
        if (!twice && !has_ended(&(struct region_lane){ lane->span, ended, 0 }, span))
            add_span(l, lane, span);
    }
}

/* Sort, unless the spans are in order: they are if their chunks were read in order. */
static void
sort_lane(struct region_lane *lane)
{
    for (u32 i = 1; i < lane->count; i++)
        if (compare_spans(&lane->span[i - 1], &lane->span[i]) > 0) {
            qsort(lane->span, lane->count, sizeof(*lane->span), compare_spans);
            return;
        }
}

static int
nest(struct region_lane *lane)
{
    u32 *top = NULL, room = 0, count = 0;

    for (u32 i = 0; i < lane->count; i++) {
        struct region_span *span = &lane->span[i];

        for (; count && lane->span[top[count - 1]].from >= span->from; count--)
            lane->span[top[count - 1]].around = i + 1;
        if (array_room(&top, &room, count + 1, sizeof(*top)) < 0) {
            free(top);
            return -ENOMEM;
        }
        top[count++] = i;
    }
    free(top);
    return 0;
}

/* Replace the ids in spans by regions; drop spans whose id has no region. */
static void
name_spans(const struct region_threads *t, struct region_lane *lane)
{
    u32 kept = 0;

    for (u32 i = 0; i < lane->count; i++) {
        struct region_span span = lane->span[i];

        span.region = span.region < t->ids ? t->region[span.region] : 0;
        if (span.region)
            lane->span[kept++] = span;
    }
    lane->count = kept;
}

static int
settle(struct regions *names, struct loading *l)
{
    struct region_threads *t = l->threads;
    int ret = name_ids(names, l);

    for (u32 i = 0; i < t->slots && ret == 0; i++) {
        sort_lane(&t->lane[i]);
        add_open(l, i);
        sort_lane(&t->lane[i]);
        name_spans(t, &t->lane[i]);
        ret = l->no_memory ? -ENOMEM : nest(&t->lane[i]);
    }
    return ret;
}

static int
load(struct session *session, u32 index, struct region_lanes *out)
{
    const struct experiment *e = session->experiment[index];
    struct loading l = { .threads = &out->experiment[index] };
    struct trace_sink sink = { wishes, WISHES, on_row, &l };
    struct record_source source;
    u32 slots = e->threads.count + 1;
    int ret;

    if (experiment_source(session->experiment[index], FILE_regions, &source) < 0)
        return 0;
    l.shift = source.schema->time_shift;
    l.threads->lane = calloc(slots, sizeof(*l.threads->lane));
    l.open = calloc(slots, sizeof(*l.open));
    l.threads->slots = l.threads->lane ? slots : 0;
    ret = l.threads->lane && l.open ? 0 : -ENOMEM;
    if (ret == 0)
        ret = tracescan_all(session, index, FILE_regions, &sink);
    if (ret == 0)
        ret = l.no_memory ? -ENOMEM : settle(&out->names, &l);
    for (u32 i = 0; l.open && i < slots; i++)
        free(l.open[i].span);
    free(l.open);
    free(l.id);
    pool_free(l.pool);
    return ret;
}

int
regionlanes_load(struct session *session, struct region_lanes *out)
{
    int ret = regions_begin(&out->names);

    out->experiment = calloc((size_t)session->nexperiments + 1,
                             sizeof(*out->experiment));
    out->experiments = out->experiment ? session->nexperiments : 0;
    if (!out->experiment)
        ret = -ENOMEM;
    for (u32 i = 0; i < out->experiments && ret == 0; i++)
        ret = load(session, i, out);
    if (ret < 0)
        regionlanes_free(out);
    return ret;
}

void
regionlanes_free(struct region_lanes *lanes)
{
    for (u32 i = 0; i < lanes->experiments; i++) {
        struct region_threads *t = &lanes->experiment[i];

        for (u32 k = 0; k < t->slots; k++)
            free(t->lane[k].span);
        free(t->lane);
        free(t->region);
    }
    free(lanes->experiment);
    regions_free(&lanes->names);
    *lanes = (struct region_lanes){ .experiments = 0 };
}

const struct region_lane *
regionlanes_of(const struct region_lanes *lanes, u32 experiment, u32 slot)
{
    const struct region_threads *t;

    if (!lanes || experiment >= lanes->experiments)
        return NULL;
    t = &lanes->experiment[experiment];
    return slot < t->slots && t->lane[slot].count ? &t->lane[slot] : NULL;
}

static bool
ends_by(const void *span, const void *ticks)
{
    return ((const struct region_span *)span)->to <= *(const u64 *)ticks;
}

/* The index of the first span that ends after a time; lane->count if none does. */
static u32
first_behind(const struct region_lane *lane, u64 ticks)
{
    return array_first(lane->span, lane->count, sizeof(*lane->span), ends_by, &ticks);
}

/*
 * Take the first span that ends after the moment. If it also begins after the moment,
 * only instances around it can contain the moment.
 */
u32
regionlanes_at(const struct region_lane *lane, u64 ticks)
{
    u32 at = lane ? first_behind(lane, ticks) : 0;

    if (!lane || at == lane->count)
        return 0;
    at++;
    while (at && lane->span[at - 1].from > ticks)
        at = lane->span[at - 1].around;
    return at;
}

u32
regionlanes_ended(const struct region_threads *t, const struct region_lane *lane,
                  u64 ticks, u64 id)
{
    u32 region = id < t->ids ? t->region[id] : 0;

    if (!lane || !region)
        return 0;
    for (u32 i = ticks ? first_behind(lane, ticks - 1) : 0;
         i < lane->count && lane->span[i].to == ticks; i++)
        if (lane->span[i].region == region)
            return i + 1;
    return 0;
}

u64
regionlanes_after(const struct region_lane *lane, u64 ticks)
{
    u32 at = lane ? first_behind(lane, ticks) : 0;
    u64 begin = UINT64_MAX;

    if (!lane || at == lane->count)
        return UINT64_MAX;
    for (u32 i = at + 1; i && lane->span[i - 1].from > ticks;
         i = lane->span[i - 1].around)
        begin = lane->span[i - 1].from;
    return begin < UINT64_MAX ? begin : lane->span[at].to;
}
