/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/region/regionsteps.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"
#include "print/model/filter/filters.h"
#include "print/model/lookup/regionlanes.h"

enum {
    RANKS = REGION_STEPS_TOLD + 1,
};

/* A region's own time. */
struct own {
    u32 region;
    double ns;
};

static u64
since(const struct experiment *e, u64 ticks, u32 *piece)
{
    if (ticks == UINT64_MAX)
        return experiment_since(e, e->over_mono);
    return experiment_since(e, clock_mono_from(&e->clock, ticks, piece));
}

static int
compare_own(const void *a, const void *b)
{
    const struct own *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return x->region < y->region ? -1 : x->region > y->region;
}

/* Add up the time of each region's instances, without that of instances within them. */
static void
add_own(const struct region_lane *lane, double rate, struct own *own)
{
    for (u32 i = 0; i < lane->count; i++) {
        const struct region_span *s = &lane->span[i];
        double ns = s->to == UINT64_MAX ? 0 : (double)region_span_ticks(s) * rate;

        own[s->region].ns += ns;
        if (s->around && lane->span[s->around - 1].to != UINT64_MAX)
            own[lane->span[s->around - 1].region].ns -= ns;
    }
}

/*
 * Order the regions by the time in them without nested regions, most first, and put the
 * first ones into out->region. Returns the rank of each region, which the caller frees;
 * REGION_STEPS_TOLD: it is not among the first. NULL: no memory.
 */
static unsigned char *
rank_regions(struct session *session, const struct region_lanes *lanes,
             struct region_steps *out)
{
    u32 count = lanes->names.count;
    struct own *own = calloc(count, sizeof(*own));
    unsigned char *rank = own ? malloc(count) : NULL;

    if (!rank) {
        free(own);
        return NULL;
    }
    for (u32 i = 0; i < count; i++)
        own[i].region = i;
    for (u32 e = 0; e < lanes->experiments; e++)
        for (u32 k = 0; k < lanes->experiment[e].slots; k++)
            add_own(&lanes->experiment[e].lane[k],
                    clock_rate(&session->experiment[e]->clock), own);
    if (count > 1)
        qsort(own + 1, count - 1, sizeof(*own), compare_own);
    for (u32 i = 0; i < count; i++)
        rank[own[i].region] = i && i <= REGION_STEPS_TOLD ? (unsigned char)(i - 1)
                                                          : REGION_STEPS_TOLD;
    for (u32 i = 1; i < count && i <= REGION_STEPS_TOLD; i++)
        out->region[out->told++] = own[i].region;
    free(own);
    return rank;
}

/*
 * Distribute a duration over the steps in which it lies: add it, or subtract it if sign
 * is -1.
 */
static void
spread(const struct region_steps *s, double *ns, u32 rank, u64 from, u64 to,
       double sign)
{
    for (u64 step = from / s->width; step < s->steps && step * s->width < to; step++) {
        u64 begin = step * s->width, end = begin + s->width;

        begin = begin > from ? begin : from;
        end = end < to ? end : to;
        ns[step * RANKS + rank] += sign * (double)(end - begin);
    }
}

static int
add_thread(struct region_steps *s, const struct experiment *e, u32 index, u32 slot,
           const struct region_lane *lane, const unsigned char *rank)
{
    struct region_steps_thread t = { index, slot, NULL };
    u32 piece = 0;

    t.ns = calloc((size_t)s->steps * RANKS, sizeof(*t.ns));
    if (!t.ns || array_room(&s->thread, &s->room, s->threads + 1, sizeof(t)) < 0) {
        free(t.ns);
        return -ENOMEM;
    }
    s->thread[s->threads++] = t;
    for (u32 i = 0; i < lane->count; i++) {
        const struct region_span *span = &lane->span[i];
        u64 from = since(e, span->from, &piece), to = since(e, span->to, &piece);

        spread(s, t.ns, rank[span->region], from, to, 1);
        if (span->around)
            spread(s, t.ns, rank[lane->span[span->around - 1].region], from, to, -1);
    }
    for (u32 i = 0; i < s->steps * RANKS; i++)
        s->total[i % RANKS] += t.ns[i];
    return 0;
}

int
regionsteps_make(struct session *session, u32 steps, u64 width,
                 struct region_steps *out)
{
    const struct region_lanes *lanes = filters_regions(session);
    struct region_steps s = { .steps = steps, .width = width };
    unsigned char *rank;
    int ret = 0;

    if (lanes && lanes->names.count < 2)
        return -ENOENT;
    for (u32 i = 0; lanes && i < lanes->experiments && ret == 0; i++)
        ret = experiment_clock(session->experiment[i]);
    rank = lanes && ret == 0 ? rank_regions(session, lanes, &s) : NULL;
    if (ret == 0 && !rank)
        ret = -ENOMEM;
    for (u32 i = 0; rank && i < lanes->experiments; i++)
        for (u32 k = 0; k < lanes->experiment[i].slots && ret == 0; k++) {
            const struct region_lane *lane = regionlanes_of(lanes, i, k);

            if (lane)
                ret = add_thread(&s, session->experiment[i], i, k, lane, rank);
        }
    free(rank);
    if (ret < 0)
        regionsteps_free(&s);
    else
        *out = s;
    return ret;
}

void
regionsteps_free(struct region_steps *s)
{
    for (u32 i = 0; i < s->threads; i++)
        free(s->thread[i].ns);
    free(s->thread);
    *s = (struct region_steps){ .steps = 0 };
}
