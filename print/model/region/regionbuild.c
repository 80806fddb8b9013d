/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/region/regionbuild.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/filter/filter.h"
#include "print/model/region/regionadd.h"

/* The wall time that a thread spent in a region. */
struct share {
    u32 region;
    u32 slot;
    double wall;
};

static int
compare_shares(const void *a, const void *b)
{
    const struct share *x = a, *y = b;

    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static void
add_share(struct region *r, double wall)
{
    r->threads++;
    if (wall > r->busiest)
        r->busiest = wall;
}

/* A thread may have several ids for one region: add up their shares first. */
static void
add_shares(struct regions *all, struct share *share, u32 count)
{
    if (count > 1)
        qsort(share, count, sizeof(*share), compare_shares);
    for (u32 i = 0; i < count;) {
        double wall = 0;
        u32 first = i;

        for (; i < count && !compare_shares(&share[i], &share[first]); i++)
            wall += share[i].wall;
        add_share(&all->region[share[first].region], wall);
    }
}

static void
add_part(struct region_adding *a, const struct region_id *id,
         const struct region_part *part)
{
    struct region *r = &a->regions->region[a->region[id->id]];
    double wall = (double)part->took * a->scan.rate;

    r->count += part->count;
    r->ticks += part->took;
    r->wall += wall;
    if ((double)part->longest * a->scan.rate > r->longest)
        r->longest = (double)part->longest * a->scan.rate;
    for (u32 i = 0; i < USE_COUNT; i++)
        r->used[i] += part->used[i];
    r->unsure += part->unsure;
    r->experiment = a->index;
    r->node = id->node;
}

static int
add_ids(struct region_adding *a)
{
    struct region_scan *s = &a->scan;

    for (u32 i = 0; i < s->ids; i++) {
        const struct region_id *id = &s->id[i];
        /* An outer region has a lower id than those within it. */
        u32 parent = id->parent < id->id ? a->region[id->parent] : 0;

        a->region[id->id] = regions_named(a->regions, parent, id->name);
        if (!a->region[id->id])
            return -ENOMEM;
    }
    return 0;
}

/*
 * Add the parts that threads had in regions, and the instances that did not end.
 */
static int
add_parts(struct region_adding *a)
{
    struct region_scan *s = &a->scan;
    struct share *share = calloc((size_t)s->ids + s->notices + 1, sizeof(*share));
    u32 count = 0;

    if (!share)
        return -ENOMEM;
    for (u32 i = 0; i < s->ids; i++) {
        const struct region_part *part = &s->part[s->id[i].id];

        if (!part->count)
            continue;
        add_part(a, &s->id[i], part);
        share[count++] = (struct share){ a->region[s->id[i].id], s->id[i].slot,
                                         (double)part->took * s->rate };
    }
    for (u32 i = 0; i < s->notices; i++) {
        const struct notice_row *notice = &s->notice[i];
        u32 region = notice->path < s->parts ? a->region[notice->path] : 0;
        struct region *r = &a->regions->region[region];

        if (notice->what != NOTICE_OPEN || notice->ended || !region)
            continue;
        r->open++;
        r->wall += notice->lasted;
        r->unsure += notice->unsure;
        for (u32 n = 0; n < USE_COUNT; n++)
            r->used[n] += notice->used[n];
        share[count++] = (struct share){ region, notice->slot, notice->lasted };
    }
    add_shares(a->regions, share, count);
    free(share);
    return 0;
}

static int
add_experiment(struct regions *all, struct session *session, u32 index)
{
    struct region_adding a = { .regions = all, .index = index,
                        .experiment = session->experiment[index] };
    int ret = regionscan_run(session, index, &a.scan);

    if (ret == 0) {
        a.region = calloc((size_t)a.scan.parts + 1, sizeof(*a.region));
        ret = a.region ? add_ids(&a) : -ENOMEM;
    }
    if (ret == 0)
        ret = add_parts(&a);
    if (ret == 0)
        ret = regionadd_notices(&a);
    all->readings += a.scan.readings_count;
    free(a.region);
    regionscan_free(&a.scan);
    return ret;
}

/*
 * Add each region's times to its parent. A region that was open when its program was
 * killed may have no instance: without a filter, it then counts as one open instance.
 * Its times are the sums of the regions within it. Children have higher indices than
 * their parents.
 */
static void
add_up(struct regions *all, bool filtered)
{
    for (u32 i = all->count - 1; i; i--) {
        struct region *r = &all->region[i], *parent = &all->region[r->parent];

        parent->present |= r->present |= r->count || r->open;
        if (!r->count && !r->open && r->present) {
            r->open = !filtered;
            r->wall = r->children;
            for (u32 k = r->child; k; k = all->region[k].next)
                for (u32 n = 0; n < USE_COUNT; n++)
                    r->used[n] += all->region[k].used[n];
        }
        parent->children += r->wall;
        r->self_cpu += r->used[USE_CPU];
        parent->self_cpu -= r->used[USE_CPU];
    }
    all->region[0].wall = all->region[0].children;
}

static const struct regions *sorting;

static int
compare_regions(const void *a, const void *b)
{
    const struct region *x = &sorting->region[*(const u32 *)a];
    const struct region *y = &sorting->region[*(const u32 *)b];

    if (x->wall != y->wall)
        return x->wall < y->wall ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Sort the children of a region by time. `list`: scratch memory. */
static void
sort_children(struct regions *all, struct region *parent, u32 *list)
{
    u32 count = 0, next = 0;

    for (u32 k = parent->child; k; k = all->region[k].next)
        list[count++] = k;
    sorting = all;
    if (count > 1)
        qsort(list, count, sizeof(*list), compare_regions);
    while (count) {
        all->region[list[--count]].next = next;
        next = list[count];
    }
    parent->child = next;
}

static int
compare_intervals(const void *a, const void *b)
{
    const struct region_interval *x = a, *y = b;

    if (x->wall != y->wall)
        return x->wall < y->wall ? 1 : -1;
    return strcmp(x->name, y->name);
}

static int
compare_texts(const void *a, const void *b)
{
    const struct region_text *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->region != y->region ? (x->region < y->region ? -1 : 1)
                                  : strcmp(x->name, y->name);
}

static int
sort(struct regions *all)
{
    u32 *list = calloc(all->count, sizeof(*list));

    if (!list)
        return -ENOMEM;
    for (u32 i = 0; i < all->count; i++)
        sort_children(all, &all->region[i], list);
    if (all->intervals > 1)
        qsort(all->interval, all->intervals, sizeof(*all->interval),
              compare_intervals);
    if (all->texts > 1)
        qsort(all->text, all->texts, sizeof(*all->text), compare_texts);
    free(list);
    return 0;
}

int
regionbuild(struct session *session, struct regions *out)
{
    bool any = false;
    int ret = regions_begin(out);

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++) {
        ret = add_experiment(out, session, i);
        any |= ret == 0;
        ret = ret == -ENOENT ? 0 : ret;
    }
    if (ret == 0 && !any)
        ret = -ENOENT;
    if (ret == 0) {
        add_up(out, filter_is_set(session));
        ret = sort(out);
    }
    if (ret < 0)
        regions_free(out);
    return ret;
}
