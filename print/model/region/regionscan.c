/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/region/regionscan.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/pass/tracepass.h"

enum {
    TEXTS_MAX = 10000, /* different texts of an experiment that are kept */
};

/* Records that the first pass reads: all but spans. */
enum wish {
    WISH_PATH,
    WISH_USAGE,
    WISH_NOTICE,
    WISHES,
};

static const struct trace_wish wishes[WISHES] = {
    { "path", { "id", "parent", "node", "name" } },
    { "usage", { "time", "cpu", "minflt", "majflt", "nvcsw", "nivcsw" } },
    { "notice", { "time", "what", "since", "path", "value", "node", "text",
                "thread" } },
};

static const struct trace_wish span_wish = { "span", { "time", "took", "path" } };

struct reading {
    struct region_scan *scan;
    pthread_mutex_t lock;
    bool no_memory;
    /* By worker. */
    struct region_part *part[TRACE_WORKERS];
    u32 *hint[TRACE_WORKERS]; /* by slot */
};

static void
read_path(struct reading *r, const struct trace_row *row)
{
    struct region_scan *s = r->scan;
    struct er_str name = trace_text(row, 3);
    struct region_id id = { (u32)trace_get(row, 0), (u32)trace_get(row, 1),
                            (u32)trace_get(row, 2), row->slot, NULL };

    id.name = pool_text(&s->pool, name.s, name.len);
    if (!id.name ||
        array_room(&s->id, &s->id_room, s->ids + 1, sizeof(id)) < 0)
        r->no_memory = true;
    else if (id.id && id.id < REGION_IDS_MAX)
        s->id[s->ids++] = id;
}

static void
read_usage(struct reading *r, const struct trace_row *row)
{
    struct region_readings *of = &r->scan->readings[row->slot];
    struct region_reading reading = { .time = trace_get(row, 0) };

    for (u32 i = 0; i < USE_COUNT; i++)
        reading.used[i] = trace_get(row, i + 1);
    if (array_room(&of->at, &of->room, of->count + 1, sizeof(reading)) < 0) {
        r->no_memory = true;
        return;
    }
    of->at[of->count++] = reading;
    r->scan->readings_count++;
}

/* Add a number to the sums. There may be as many as instances, so none is kept. */
static void
read_number(struct reading *r, const struct trace_row *row)
{
    struct region_scan *s = r->scan;
    u64 path = trace_get(row, 3);
    int64_t value = (int64_t)trace_get(row, 4);
    struct region_numbers one = { 1, value, value, (double)value };

    if (path >= REGION_IDS_MAX)
        return;
    if (array_room_zero(&s->number, &s->number_room, (u32)path + 1,
                        sizeof(*s->number)) < 0) {
        r->no_memory = true;
        return;
    }
    s->numbers = s->numbers > path ? s->numbers : (u32)path + 1;
    regions_add_numbers(&s->number[path], &one);
}

struct text_search {
    const struct region_scan *scan;
    u32 path;
    struct er_str text;
};

static bool
is_same_text(const void *key, u32 index)
{
    const struct text_search *want = key;
    const struct region_text *t = &want->scan->text[index];

    return t->region == want->path && !strncmp(t->name, want->text.s, want->text.len) &&
           !t->name[want->text.len];
}

static void
read_text(struct reading *r, const struct trace_row *row)
{
    struct region_scan *s = r->scan;
    struct text_search want = { s, (u32)trace_get(row, 3), trace_text(row, 6) };
    u32 hash = (u32)hash_bytes(want.path, want.text.s, want.text.len);
    u32 at = hash_find(&s->text_hash, hash, is_same_text, &want);
    struct region_text text = { .region = want.path };

    if (at == HASH_NONE && s->texts == TEXTS_MAX) {
        s->more_texts++;
        return;
    }
    if (at == HASH_NONE) {
        text.name = pool_text(&s->pool, want.text.s, want.text.len);
        if (!text.name ||
            array_room(&s->text, &s->text_room, s->texts + 1, sizeof(text)) < 0 ||
            hash_add(&s->text_hash, hash, s->texts) < 0) {
            r->no_memory = true;
            return;
        }
        at = s->texts++;
        s->text[at] = text;
    }
    s->text[at].count++;
}

static void
read_notice(struct reading *r, const struct trace_row *row)
{
    struct region_scan *s = r->scan;
    struct er_str text = trace_text(row, 6);
    struct notice_row notice = {
        .time = trace_get(row, 0),
        .what = (u32)trace_get(row, 1),
        .since = trace_get(row, 2),
        .path = (u32)trace_get(row, 3),
        .value = trace_get(row, 4),
        .node = (u32)trace_get(row, 5),
        .slot = row->slot,
    };
    u64 thread = trace_get(row, 7);

    if (thread)
        notice.slot = tracescan_slot(row, (u32)thread);
    notice.text = pool_text(&s->pool, text.s, text.len);
    if (!notice.text ||
        array_room(&s->notice, &s->notice_room, s->notices + 1, sizeof(notice)) < 0)
        r->no_memory = true;
    else
        s->notice[s->notices++] = notice;
}

static void
read_notice_row(struct reading *r, const struct trace_row *row)
{
    u64 what = trace_get(row, 1);

    if (what == NOTICE_NUMBER)
        read_number(r, row);
    else if (what == NOTICE_TEXT)
        read_text(r, row);
    else
        read_notice(r, row);
}

/* Called for records other than spans, of which there are few. */
static void
on_other(void *context, const struct trace_row *row)
{
    struct reading *r = context;

    pthread_mutex_lock(&r->lock);
    if (row->wish == WISH_PATH)
        read_path(r, row);
    else if (row->wish == WISH_USAGE)
        read_usage(r, row);
    else if (tracepass_accepts(row))
        read_notice_row(r, row);
    pthread_mutex_unlock(&r->lock);
}

static void
settle_gap(struct region_part *part, const struct region_readings *readings,
           double rate)
{
    if (part->in_gap > 0)
        part->unsure +=
            regionusage_unsure(readings, part->gap, part->in_gap, rate);
    part->in_gap = 0;
}

static void
add_in_gap(struct region_part *part, const struct region_readings *readings,
           double rate, u32 gap, double length)
{
    if (part->gap != gap)
        settle_gap(part, readings, rate);
    part->gap = gap;
    part->in_gap += length;
}

/* Add what the thread used between two moments. */
static void
add_use(const struct region_readings *readings, double rate, u32 *hint,
        struct region_part *part, u64 from, u64 to)
{
    struct region_moment a, b;

    if (!readings->count) {
        part->unsure += (double)(to - from) * rate;
        return;
    }
    b = regionusage_at(readings, to, hint);
    a = regionusage_at(readings, from, hint);
    for (u32 i = 0; i < USE_COUNT; i++)
        part->used[i] += b.used[i] - a.used[i];
    if (a.gap == b.gap) {
        add_in_gap(part, readings, rate, a.gap, (double)(to - from));
        return;
    }
    if (a.inside && readings->at[a.gap].time != from)
        add_in_gap(part, readings, rate, a.gap,
                   (double)(readings->at[a.gap + 1].time - from));
    if (readings->at[b.gap].time != to)
        add_in_gap(part, readings, rate, b.gap,
                   (double)(to - readings->at[b.gap].time));
}

/* An instance has ended: if it was recorded as open, mark that record. */
static void
end_open(struct region_scan *s, u32 path, u64 began)
{
    for (u32 i = 0; i < s->notices; i++) {
        struct notice_row *notice = &s->notice[i];

        if (notice->what == NOTICE_OPEN && notice->path == path &&
            notice->time - notice->since == began)
            notice->ended = true;
    }
}

static void
on_span(void *context, const struct trace_row *row)
{
    struct reading *r = context;
    u64 time = trace_get(row, 0), took = trace_get(row, 1), path = trace_get(row, 2);
    struct region_part *part;

    if (path >= r->scan->parts || !tracepass_accepts(row))
        return;
    part = &r->part[row->worker][path];
    took = took < time ? took : time;
    part->count++;
    part->took += took;
    if (took > part->longest)
        part->longest = took;
    add_use(&r->scan->readings[row->slot], r->scan->rate,
            &r->hint[row->worker][row->slot], part, time - took, time);
    if (r->scan->is_open[path])
        end_open(r->scan, (u32)path, time - took);
}

static int
compare_ids(const void *a, const void *b)
{
    const struct region_id *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

static int
compare_notices(const void *a, const void *b)
{
    const struct notice_row *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->time < y->time ? -1 : x->time > y->time;
}

static int
read_others(struct session *session, u32 experiment, struct reading *r)
{
    struct trace_sink sink = { wishes, WISHES, on_other, r };
    struct region_scan *s = r->scan;
    int ret = tracepass_run(session, experiment, FILE_regions, &sink);

    if (ret == 0 && r->no_memory)
        ret = -ENOMEM;
    if (s->ids > 1)
        qsort(s->id, s->ids, sizeof(*s->id), compare_ids);
    if (s->notices > 1)
        qsort(s->notice, s->notices, sizeof(*s->notice), compare_notices);
    for (u32 i = 0; i < s->slots; i++)
        regionusage_sort(&s->readings[i]);
    s->parts = s->ids ? s->id[s->ids - 1].id + 1 : 1;
    s->is_open = calloc(s->parts, 1);
    if (!s->is_open)
        ret = -ENOMEM;
    for (u32 i = 0; i < s->notices && ret == 0; i++)
        if (s->notice[i].what == NOTICE_OPEN && s->notice[i].path < s->parts)
            s->is_open[s->notice[i].path] = 1;
    return ret;
}

static void
add_part(struct region_part *to, struct region_part *part,
         const struct region_readings *readings, double rate)
{
    settle_gap(part, readings, rate);
    to->count += part->count;
    to->took += part->took;
    to->longest = part->longest > to->longest ? part->longest : to->longest;
    for (u32 i = 0; i < USE_COUNT; i++)
        to->used[i] += part->used[i];
    to->unsure += part->unsure;
}

static int
read_spans(struct session *session, u32 experiment, struct reading *r)
{
    struct trace_sink sink = { &span_wish, 1, on_span, r };
    struct region_scan *s = r->scan;
    int ret = 0;

    for (u32 i = 0; i < TRACE_WORKERS && ret == 0; i++) {
        r->part[i] = calloc(s->parts, sizeof(**r->part));
        r->hint[i] = calloc(s->slots, sizeof(**r->hint));
        if (!r->part[i] || !r->hint[i])
            ret = -ENOMEM;
    }
    if (ret == 0)
        ret = tracepass_run(session, experiment, FILE_regions, &sink);
    for (u32 i = 1; i < TRACE_WORKERS && ret == 0; i++)
        for (u32 k = 0; k < s->ids; k++)
            add_part(&r->part[0][s->id[k].id], &r->part[i][s->id[k].id],
                     &s->readings[s->id[k].slot], s->rate);
    for (u32 k = 0; k < s->ids && ret == 0; k++)
        settle_gap(&r->part[0][s->id[k].id], &s->readings[s->id[k].slot], s->rate);
    s->part = r->part[0];
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        if (i)
            free(r->part[i]);
        free(r->hint[i]);
    }
    return ret;
}

/*
 * Set what an open instance that did not end took and used: it lasts until the end of
 * recording or of its thread.
 */
static void
use_open(const struct region_scan *s, const struct experiment *e,
         struct notice_row *notice)
{
    const struct region_readings *readings = &s->readings[notice->slot];
    u64 death = notice->slot ? e->threads.row[notice->slot - 1].death : 0;
    u64 end = death && death < e->over_mono ? death : e->over_mono;
    u64 from = notice->time - notice->since, began = clock_mono(&e->clock, from);
    struct region_part part = { 0 };
    u32 hint = 0;

    if (notice->what != NOTICE_OPEN || notice->ended || end <= began)
        return;
    notice->lasted = (double)(end - began);
    add_use(readings, s->rate, &hint, &part, from,
            from + (u64)(notice->lasted / s->rate));
    settle_gap(&part, readings, s->rate);
    memcpy(notice->used, part.used, sizeof(notice->used));
    notice->unsure = part.unsure;
}

int
regionscan_run(struct session *session, u32 experiment, struct region_scan *out)
{
    struct experiment *e = session->experiment[experiment];
    struct reading r = { .scan = out, .lock = PTHREAD_MUTEX_INITIALIZER };
    int ret;

    *out = (struct region_scan){ .slots = e->threads.count + 1 };
    out->readings = calloc(out->slots, sizeof(*out->readings));
    if (!out->readings)
        return -ENOMEM;
    ret = tracescan_rate(e, FILE_regions, &out->rate);
    if (ret == 0)
        ret = read_others(session, experiment, &r);
    if (ret == 0)
        ret = read_spans(session, experiment, &r);
    for (u32 i = 0; i < out->notices && ret == 0; i++)
        use_open(out, e, &out->notice[i]);
    return ret;
}

void
regionscan_free(struct region_scan *s)
{
    for (u32 i = 0; s->readings && i < s->slots; i++)
        free(s->readings[i].at);
    free(s->readings);
    free(s->id);
    free(s->notice);
    free(s->part);
    free(s->number);
    free(s->text);
    hash_free(&s->text_hash);
    free(s->is_open);
    pool_free(s->pool);
    *s = (struct region_scan){ 0 };
}
