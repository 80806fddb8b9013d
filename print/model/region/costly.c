/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/region/costly.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/filter/filters.h"
#include "print/model/lookup/regionlanes.h"
#include "print/model/pass/tracepass.h"

enum {
    SAMPLES = 255,     /* durations of a region from which its median is computed */
    SIBLINGS = 4,      /* instances that a region needs for a comparison */
    TIMES = 4,         /* how many times the median is costly */
    LEAST_NS = 100000, /* smaller excesses are left out */
    RARE = 4,          /* a region is rare in less than 1/RARE of the outer ones */
    MOST_OF = 70,      /* percent of an outer excess that an inner one must explain */
};

/* The usual duration of a region's instances. */
struct usual {
    u64 count;
    u64 median; /* ticks */
    u64 *sample;
    u32 samples;
};

struct search {
    struct session *session;
    const struct region_lanes *lanes;
    struct usual *usual; /* by region */
    u32 index;           /* the experiment's */
    double rate;         /* ns of a tick */
    unsigned char **passes; /* by slot, then by instance; NULL = all pass */
    struct costlies out;
    u32 room;
};

static int
compare_u64(const void *a, const void *b)
{
    const u64 *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Call call() for each instance that has ended. */
static int
each(struct search *s,
     int (*call)(struct search *, const struct region_lane *, u32 slot, u32 at))
{
    int ret = 0;

    for (u32 slot = 0; slot < s->lanes->experiment[s->index].slots; slot++) {
        const struct region_lane *lane = regionlanes_of(s->lanes, s->index, slot);

        for (u32 i = 0; lane && i < lane->count && ret == 0; i++)
            if (lane->span[i].to != UINT64_MAX)
                ret = call(s, lane, slot, i);
    }
    return ret;
}

static int
count_one(struct search *s, const struct region_lane *lane, u32 slot, u32 at)
{
    (void)slot;
    s->usual[lane->span[at].region].count++;
    return 0;
}

/* Take the duration of every nth instance, so that the samples cover the whole run. */
static int
sample_one(struct search *s, const struct region_lane *lane, u32 slot, u32 at)
{
    struct usual *u = &s->usual[lane->span[at].region];
    u64 step = u->count / SAMPLES + 1;

    (void)slot;
    if (u->count < SIBLINGS)
        return 0;
    if (!u->sample)
        u->sample = calloc(SAMPLES + 1, sizeof(*u->sample));
    if (!u->sample)
        return -ENOMEM;
    if (u->median++ % step == 0 && u->samples <= SAMPLES)
        u->sample[u->samples++] = region_span_ticks(&lane->span[at]);
    return 0;
}

static void
find_medians(struct search *s)
{
    for (u32 i = 0; i < s->lanes->names.count; i++) {
        struct usual *u = &s->usual[i];

        if (u->samples)
            qsort(u->sample, u->samples, sizeof(*u->sample), compare_u64);
        u->median = u->samples ? u->sample[u->samples / 2] : 0;
        free(u->sample);
        u->sample = NULL;
    }
}

static u64
ns_of(const struct search *s, u64 ticks)
{
    return clock_scaled(ticks, s->rate);
}

/*
 * By how many ticks an instance took longer than its region's median; 0 = it is not
 * costly.
 */
static u64
excess_of(const struct search *s, const struct region_span *span)
{
    const struct usual *u = &s->usual[span->region];
    u64 took = region_span_ticks(span);

    if (u->count < SIBLINGS || took / TIMES < u->median ||
        ns_of(s, took - u->median) < LEAST_NS)
        return 0;
    return took - u->median;
}

/*
 * Does the instance take most of the time of the instance around it, although the outer
 * region rarely contains the inner one?
 */
static bool
is_large_inside(const struct search *s, const struct region_lane *lane,
                const struct region_span *span)
{
    const struct region_span *around;

    if (!span->around)
        return false;
    around = &lane->span[span->around - 1];
    return around->to != UINT64_MAX && s->usual[around->region].count >= SIBLINGS &&
           s->usual[span->region].count < s->usual[around->region].count / RARE &&
           region_span_ticks(span) > region_span_ticks(around) / 2 &&
           ns_of(s, region_span_ticks(span)) >= LEAST_NS;
}

static int
add(struct search *s, const struct region_lane *lane, u32 slot, u32 at, u64 excess)
{
    const struct experiment *e = s->session->experiment[s->index];
    const struct region_span *span = &lane->span[at];
    struct costly c = {
        .experiment = s->index,
        .slot = slot,
        .region = span->region,
        .inside = !excess,
        .from = span->from,
        .to = span->to,
        .since = experiment_since(e, clock_mono(&e->clock, span->from)),
        .took = ns_of(s, region_span_ticks(span)),
        .usual = ns_of(s, s->usual[span->region].median),
        .excess = ns_of(s, excess),
    };

    if (span->around)
        c.around = lane->span[span->around - 1].region;
    if (c.inside) {
        c.usual = ns_of(s, region_span_ticks(&lane->span[span->around - 1]));
        c.excess = c.took;
    }
    if (array_room(&s->out.row, &s->room, s->out.count + 1, sizeof(c)) < 0)
        return -ENOMEM;
    s->out.row[s->out.count++] = c;
    return 0;
}

/*
 * Of the instances around this one, mark those whose excess is mostly due to this one.
 */
static void
explain_outer(const struct search *s, const struct region_lane *lane, u32 at,
              u64 excess, unsigned char *explained)
{
    for (u32 i = lane->span[at].around; i; i = lane->span[i - 1].around) {
        u64 outer = excess_of(s, &lane->span[i - 1]);

        if (outer && excess >= outer / 100 * MOST_OF)
            explained[i - 1] = 1;
    }
}

/*
 * Choose the costly instances of a lane, unless an inner one explains them. In a lane,
 * inner instances precede outer ones.
 */
static int
choose(struct search *s, u32 slot, const struct region_lane *lane)
{
    unsigned char *explained = calloc(lane->count, 1);
    int ret = explained ? 0 : -ENOMEM;

    for (u32 i = 0; i < lane->count && ret == 0; i++) {
        const struct region_span *span = &lane->span[i];
        u64 excess = span->to == UINT64_MAX ? 0 : excess_of(s, span);
        bool large = !excess && span->to != UINT64_MAX &&
                     is_large_inside(s, lane, span);

        if ((!excess && !large) || explained[i] ||
            (s->passes && !s->passes[slot][i]))
            continue;
        explain_outer(s, lane, i, large ? region_span_ticks(span) : excess, explained);
        ret = add(s, lane, slot, i, excess);
    }
    free(explained);
    return ret;
}

static const struct trace_wish span_wish = { "span", { "time", "path" } };

static void
on_span(void *context, const struct trace_row *row)
{
    struct search *s = context;
    const struct region_lane *lane = regionlanes_of(s->lanes, s->index, row->slot);
    u32 at;

    if (!lane || !tracepass_accepts(row))
        return;
    at = regionlanes_ended(&s->lanes->experiment[s->index], lane, trace_get(row, 0),
                           trace_get(row, 1));
    if (at)
        s->passes[row->slot][at - 1] = 1;
}

/* Which instances pass the filter. */
static int
apply_filter(struct search *s)
{
    const struct region_threads *t = &s->lanes->experiment[s->index];
    struct trace_sink sink = { &span_wish, 1, on_span, s };

    s->passes = calloc((size_t)t->slots + 1, sizeof(*s->passes));
    for (u32 i = 0; s->passes && i < t->slots; i++) {
        s->passes[i] = calloc((size_t)t->lane[i].count + 1, 1);
        if (!s->passes[i])
            return -ENOMEM;
    }
    return s->passes ? tracepass_run(s->session, s->index, FILE_regions, &sink)
                     : -ENOMEM;
}

static void
forget_filter(struct search *s)
{
    for (u32 i = 0; s->passes && i < s->lanes->experiment[s->index].slots; i++)
        free(s->passes[i]);
    free(s->passes);
    s->passes = NULL;
}

static int
search_experiment(struct search *s, u32 index)
{
    struct experiment *e = s->session->experiment[index];
    int ret = 0;

    s->index = index;
    if (!s->lanes->experiment[index].slots)
        return 0;
    if (experiment_clock(e) < 0)
        return -ENOMEM;
    s->rate = clock_rate(&e->clock);
    if (filter_is_set(s->session))
        ret = apply_filter(s);
    for (u32 i = 0; i < s->lanes->experiment[index].slots && ret == 0; i++) {
        const struct region_lane *lane = regionlanes_of(s->lanes, index, i);

        if (lane)
            ret = choose(s, i, lane);
    }
    forget_filter(s);
    return ret;
}

static int
compare_rows(const void *a, const void *b)
{
    const struct costly *x = a, *y = b;

    if (x->excess != y->excess)
        return x->excess < y->excess ? 1 : -1;
    if (x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static int
search_all(struct search *s)
{
    int ret = 0;

    for (s->index = 0; s->index < s->lanes->experiments; s->index++)
        each(s, count_one);
    for (s->index = 0; s->index < s->lanes->experiments && ret == 0; s->index++)
        ret = each(s, sample_one);
    find_medians(s);
    for (u32 i = 0; i < s->lanes->experiments && ret == 0; i++)
        ret = search_experiment(s, i);
    if (s->out.count > 1)
        qsort(s->out.row, s->out.count, sizeof(*s->out.row), compare_rows);
    return ret;
}

int
costly_get(struct session *session, u32 most, struct costlies *out)
{
    struct search s = { .session = session, .lanes = filters_regions(session) };
    int ret;

    if (!s.lanes)
        return -ENOMEM;
    if (s.lanes->names.count < 2)
        return -ENOENT;
    s.usual = calloc(s.lanes->names.count, sizeof(*s.usual));
    ret = s.usual ? search_all(&s) : -ENOMEM;
    free(s.usual);
    if (most && s.out.count > most) {
        s.out.left_out = s.out.count - most;
        s.out.count = most;
    }
    if (ret == 0)
        ret = costly_explain(session, &s.out);
    if (ret < 0)
        costly_free(&s.out);
    else
        *out = s.out;
    return ret;
}

void
costly_free(struct costlies *costlies)
{
    for (u32 i = 0; i < costlies->count; i++) {
        free(costlies->row[i].part);
        free(costlies->row[i].text);
    }
    free(costlies->row);
    *costlies = (struct costlies){ .count = 0 };
}
