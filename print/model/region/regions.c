/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/region/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"
#include "print/model/filter/filter.h"
#include "print/model/region/regionscan.h"

/* One experiment on its way into the tree. */
struct adding {
    struct regions *regions;
    struct region_scan scan;
    const struct experiment *experiment;
    u32 index;
    u32 *region; /* by id; 0 = not known */
};

struct wanted {
    const struct regions *regions;
    u32 parent;
    const char *name;
};

static bool
is_same(const void *key, u32 index)
{
    const struct wanted *want = key;
    const struct region *r = &want->regions->region[index];

    return r->parent == want->parent && !strcmp(r->name, want->name);
}

u32
regions_named(struct regions *all, u32 parent, const char *name)
{
    struct wanted want = { all, parent, name };
    u32 hash = (u32)hash_str(hash_mix(parent + 1), name);
    u32 at = hash_find(&all->hash, hash, is_same, &want);
    struct region *r;

    if (at != HASH_NONE)
        return at;
    if (array_room_zero(&all->region, &all->room, all->count + 1, sizeof(*r)) < 0 ||
        hash_add(&all->hash, hash, all->count) < 0)
        return 0;
    r = &all->region[all->count];
    *r = (struct region){ .parent = parent,
                          .depth = all->region[parent].depth + 1 };
    r->name = pool_text(&all->pool, name, strlen(name));
    if (!r->name)
        return 0;
    r->next = all->region[parent].child;
    all->region[parent].child = all->count;
    return all->count++;
}

static double
end_of(const struct adding *a, u32 slot)
{
    const struct experiment *e = a->experiment;
    u64 death = slot ? e->threads.row[slot - 1].death : 0;

    return (double)(death ? death : e->end_mono);
}

/* The time that a region had which did not end. */
static double
open_time(const struct adding *a, const struct region_said *said)
{
    u64 began = clock_mono(&a->experiment->clock, said->time - said->since);
    double end = end_of(a, said->slot);

    return end > (double)began ? end - (double)began : 0;
}

/* What one thread has of a region. */
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

/* A thread may have several ids of a region. */
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
add_part(struct adding *a, const struct region_id *id, const struct region_part *part)
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
add_ids(struct adding *a)
{
    struct region_scan *s = &a->scan;

    for (u32 i = 0; i < s->ids; i++) {
        const struct region_id *id = &s->id[i];
        /* A parent is made before what is in it. */
        u32 parent = id->parent < id->id ? a->region[id->parent] : 0;

        a->region[id->id] = regions_named(a->regions, parent, id->name);
        if (!a->region[id->id])
            return -ENOMEM;
    }
    return 0;
}

/* With room for those that did not end. */
static int
add_parts(struct adding *a)
{
    struct region_scan *s = &a->scan;
    struct share *share = calloc((size_t)s->ids + s->saids + 1, sizeof(*share));
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
    for (u32 i = 0; i < s->saids; i++) {
        const struct region_said *said = &s->said[i];
        u32 region = said->path < s->parts ? a->region[said->path] : 0;
        struct region *r = &a->regions->region[region];
        double wall;

        if (said->what != NOTICE_OPEN || said->ended || !region)
            continue;
        wall = open_time(a, said);
        r->open++;
        r->wall += wall;
        for (u32 n = 0; n < USE_COUNT; n++)
            r->used[n] += said->used[n];
        share[count++] = (struct share){ region, said->slot, wall };
    }
    add_shares(a->regions, share, count);
    free(share);
    return 0;
}

/* Intervals and marks begin with their names. */
struct named_search {
    const void *array; /* address of the pointer to them */
    size_t size;
    const char *name;
};

static bool
has_name(const void *key, u32 index)
{
    const struct named_search *s = key;
    const char *base = *(const char *const *)s->array;

    return !strcmp(*(const char *const *)(const void *)(base + index * s->size),
                   s->name);
}

static struct region_interval *
interval_at(struct regions *all, const char *name)
{
    u32 hash = (u32)hash_str(0, name);
    struct named_search search = { &all->interval, sizeof(*all->interval), name };
    u32 known = hash_find(&all->interval_hash, hash, has_name, &search);
    struct region_interval *at;

    if (known != HASH_NONE)
        return &all->interval[known];
    if (array_room_zero(&all->interval, &all->interval_room, all->intervals + 1,
                        sizeof(*at)) < 0)
        return NULL;
    at = &all->interval[all->intervals];
    at->name = pool_text(&all->pool, name, strlen(name));
    if (!at->name || hash_add(&all->interval_hash, hash, all->intervals) < 0)
        return NULL;
    all->intervals++;
    return at;
}

static int
add_mark(struct regions *all, const char *name)
{
    u32 hash = (u32)hash_str(0, name);
    struct named_search search = { &all->mark, sizeof(*all->mark), name };
    u32 i = hash_find(&all->mark_hash, hash, has_name, &search);

    if (i == HASH_NONE) {
        i = all->marks;
        if (array_room_zero(&all->mark, &all->mark_room, i + 1, sizeof(*all->mark)) < 0)
            return -ENOMEM;
        all->mark[i].name = pool_text(&all->pool, name, strlen(name));
        if (!all->mark[i].name || hash_add(&all->mark_hash, hash, i) < 0)
            return -ENOMEM;
        all->marks++;
    }
    all->mark[i].count++;
    return 0;
}

static int
compare_values(const void *a, const void *b)
{
    const struct region_said *x = *(struct region_said *const *)a;
    const struct region_said *y = *(struct region_said *const *)b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->what < y->what ? -1 : x->what > y->what;
}

static int
add_interval(struct adding *a, const struct region_said *begin,
             const struct region_said *end)
{
    struct region_interval *at = interval_at(a->regions, begin->text);
    double took;

    if (!at)
        return -ENOMEM;
    if (!end) {
        at->open++;
        return 0;
    }
    took = end->time > begin->time ? (double)(end->time - begin->time) * a->scan.rate
                                   : 0;
    at->count++;
    at->wall += took;
    at->longest = took > at->longest ? took : at->longest;
    at->elsewhere += begin->slot != end->slot;
    return 0;
}

/*
 * A beginning and its end have one value, which may be used again, also before the end:
 * then an end is that of the last beginning. What has begun is kept at the front of
 * `of`, which has been read already.
 */
static int
add_value(struct adding *a, struct region_said **of, u32 count)
{
    u32 open = 0;
    int ret = 0;

    for (u32 i = 0; i < count && ret == 0; i++) {
        if (of[i]->what == NOTICE_INTERVAL)
            of[open++] = of[i];
        else if (open)
            ret = add_interval(a, of[--open], of[i]);
    }
    while (open && ret == 0)
        ret = add_interval(a, of[--open], NULL);
    return ret;
}

static int
add_intervals(struct adding *a, struct region_said **of, u32 count)
{
    int ret = 0;

    if (count > 1)
        qsort(of, count, sizeof(*of), compare_values);
    for (u32 i = 0, next; i < count && ret == 0; i = next) {
        for (next = i + 1; next < count && of[next]->value == of[i]->value;)
            next++;
        ret = add_value(a, of + i, next - i);
    }
    return ret;
}

static int
add_notices(struct adding *a)
{
    struct region_scan *s = &a->scan;
    struct region_said **interval = calloc((size_t)s->saids + 1, sizeof(*interval));
    u32 count = 0;
    int ret = 0;

    if (!interval)
        return -ENOMEM;
    for (u32 i = 0; i < s->saids && ret == 0; i++) {
        struct region_said *said = &s->said[i];

        if (said->what == NOTICE_INTERVAL || said->what == NOTICE_INTERVAL_END)
            interval[count++] = said;
        else if (said->what == NOTICE_MARK)
            ret = add_mark(a->regions, said->text);
        a->regions->strays += said->what == NOTICE_STRAY;
        a->regions->too_deep += said->what == NOTICE_TOO_DEEP;
    }
    if (ret == 0)
        ret = add_intervals(a, interval, count);
    free(interval);
    return ret;
}

static int
add_experiment(struct regions *all, struct session *session, u32 index)
{
    struct adding a = { .regions = all, .index = index,
                        .experiment = session->experiment[index] };
    int ret = regionscan_run(session, index, &a.scan);

    if (ret == 0) {
        a.region = calloc((size_t)a.scan.parts + 1, sizeof(*a.region));
        ret = a.region ? add_ids(&a) : -ENOMEM;
    }
    if (ret == 0)
        ret = add_parts(&a);
    if (ret == 0)
        ret = add_notices(&a);
    all->readings += a.scan.readings_count;
    free(a.region);
    regionscan_free(&a.scan);
    return ret;
}

/*
 * One that did not end has no instance when its program was killed: then it had at
 * least what is within it. Children come behind their parents.
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

/* The children of one, by time. */
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
    free(list);
    return 0;
}

int
regions_begin(struct regions *out)
{
    *out = (struct regions){ .count = 1 };
    if (array_room_zero(&out->region, &out->room, 1, sizeof(*out->region)) < 0)
        return -ENOMEM;
    out->region[0].name = "";
    return 0;
}

int
regions_build(struct session *session, struct regions *out)
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

void
regions_free(struct regions *all)
{
    free(all->region);
    free(all->interval);
    free(all->mark);
    hash_free(&all->hash);
    hash_free(&all->interval_hash);
    hash_free(&all->mark_hash);
    pool_free(all->pool);
    *all = (struct regions){ 0 };
}

u32
regions_next(const struct regions *all, u32 region)
{
    const struct region *r = &all->region[region];

    if (r->child)
        return r->child;
    for (; region; region = all->region[region].parent)
        if (all->region[region].next)
            return all->region[region].next;
    return 0;
}

char *
regions_path(const struct regions *all, u32 region)
{
    size_t len = 0;
    char *path, *p;

    for (u32 i = region; i; i = all->region[i].parent)
        len += strlen(all->region[i].name) + 1;
    path = malloc(len + 1);
    if (!path)
        return NULL;
    p = path + len;
    *p = 0;
    for (u32 i = region; i; i = all->region[i].parent) {
        size_t n = strlen(all->region[i].name);

        p -= n;
        memcpy(p, all->region[i].name, n);
        *--p = '/';
    }
    if (len)
        memmove(path, path + 1, len);
    return path;
}
