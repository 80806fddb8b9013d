/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches are counted only if the next branch is known: a branch and the code up to
 * the next one are one step of the program. So the counts are the same whether a loop
 * is entered by a branch, or by code before it that runs on into it.
 */
#include "print/model/branch/loops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/function.h"

enum {
    CALL_BYTES = 8, /* assume that no call instruction is longer */
    DETOUR_STEPS = 100, /* steps back that share_of_detours() may take */
};

/* An edge, with its type and the functions of its source and target. */
struct way {
    const struct branch_edge *edge;
    enum branch_type type;
    u32 from_function;
    u32 to_function;
};

struct finder {
    struct session *session;
    const struct branch_data *data;
    struct way *way; /* all edges, sorted by target */
    const struct branch_range **ends; /* all ranges, sorted by end */
    u64 longest; /* greatest end - start of a range, + 1 */
    struct branch_loop *loop;
    u32 nloops, room;
};

static int
by_target(const void *a, const void *b)
{
    const struct branch_edge *x = ((const struct way *)a)->edge;
    const struct branch_edge *y = ((const struct way *)b)->edge;

    if (x->to_object != y->to_object)
        return x->to_object < y->to_object ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->from_object != y->from_object)
        return x->from_object < y->from_object ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static int
by_end(const void *a, const void *b)
{
    const struct branch_range *x = *(const struct branch_range *const *)a;
    const struct branch_range *y = *(const struct branch_range *const *)b;

    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

static int
by_rounds(const void *a, const void *b)
{
    const struct branch_loop *x = a, *y = b;

    if (x->rounds != y->rounds)
        return x->rounds < y->rounds ? 1 : -1;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->head < y->head ? -1 : x->head > y->head;
}

static bool
is_back(const struct way *w)
{
    return w->type == BRANCH_JUMP && w->edge->from_object &&
           w->edge->from_object == w->edge->to_object && w->edge->from >= w->edge->to &&
           w->from_function == w->to_function;
}

static bool
is_inside(const struct branch_loop *l, u32 object, u64 addr)
{
    return object == l->object && addr >= l->head && addr <= l->latch;
}

/* The index of the first way whose target is at or above `to`; nedges if none. */
static u32
find_way(const struct finder *f, u32 object, u64 to)
{
    u32 lo = 0, hi = f->data->nedges;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        const struct branch_edge *e = f->way[mid].edge;

        if (e->to_object < object || (e->to_object == object && e->to < to))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/*
 * The index in `ends` of the first range that ends at or above `end`, or is of a later
 * object; nranges if there is none.
 */
static u32
find_end(const struct finder *f, u32 object, u64 end)
{
    u32 lo = 0, hi = f->data->nranges;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        const struct branch_range *r = f->ends[mid];

        if (r->object < object || (r->object == object && r->end < end))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/*
 * The address of a call that was recorded within CALL_BYTES before a place; 0 = none:
 * assume that it is the call after which a function returned there.
 */
static u64
call_before(const struct finder *f, u32 object, u64 place)
{
    u64 from = place > CALL_BYTES ? place - CALL_BYTES : 0;

    for (u32 i = branches_find(f->data, object, from); i < f->data->nedges; i++) {
        const struct branch_edge *e = &f->data->edge[i];

        if (e->from_object != object || e->from >= place)
            return 0;
        if (branches_type(f->session, e) == BRANCH_CALL)
            return e->from;
    }
    return 0;
}

/*
 * The share (0 to 1) of the runs of code up to the branch at `from`, outside the loop,
 * that came from the loop itself: compilers move code that seldom runs out of a loop.
 * Runs that left the loop at its end, or have jumped back since, count as new entries.
 * *budget: how many more steps back may be tried.
 */
static double
share_of_detours(const struct finder *f, const struct branch_loop *l, u64 from,
                 u32 *budget)
{
    double all = 0, own = 0;

    for (u32 i = find_end(f, l->object, from); i < f->data->nranges; i++) {
        const struct branch_range *r = f->ends[i];

        if (r->object != l->object || r->end != from)
            break;
        for (u32 k = find_way(f, r->object, r->start);
             k < f->data->nedges && *budget && f->way[k].edge->to == r->start &&
             f->way[k].edge->to_object == r->object;
             k++) {
            const struct branch_edge *e = f->way[k].edge;
            bool anew = is_inside(l, r->object, r->start) ||
                        (is_back(&f->way[k]) &&
                         !is_inside(l, e->from_object, e->from));
            u64 before = anew                            ? 0
                         : f->way[k].type == BRANCH_JUMP ? e->from
                         : f->way[k].type == BRANCH_RETURN
                             ? call_before(f, r->object, r->start)
                             : 0;

            --*budget;
            all += (double)e->followed;
            if (before && is_inside(l, r->object, before))
                own += (double)e->followed;
            else if (before)
                own += (double)e->followed * share_of_detours(f, l, before, budget);
        }
    }
    return all > 0 ? own / all : 0;
}

/* Count the branches from elsewhere into the loop as entries. */
static void
add_branches(const struct finder *f, struct branch_loop *l)
{
    double entries = 0;

    for (u32 i = find_way(f, l->object, l->head);
         i < f->data->nedges && is_inside(l, f->way[i].edge->to_object,
                                          f->way[i].edge->to);
         i++) {
        const struct way *w = &f->way[i];
        const struct branch_edge *e = w->edge;
        bool inside = is_inside(l, e->from_object, e->from);
        double own = 0;

        if (e->to == l->head)
            l->rounds += e->followed;
        if (e->to == l->head && is_back(w)) {
            l->back += e->followed;
            l->mispredicted += e->mispredicted;
            l->told += e->told;
        }
        /*
         * Not an entry: a function that the loop called returns into the loop, or it
         * jumps within itself. But a return to the head is an entry, as the call is
         * before the loop.
         */
        if ((w->type == BRANCH_RETURN && e->to != l->head) ||
            (inside && w->type == BRANCH_JUMP))
            continue;
        if (w->type == BRANCH_JUMP && e->to != l->head)
            own = share_of_detours(f, l, e->from, &(u32){ DETOUR_STEPS });
        entries += (double)e->followed * (1 - own);
    }
    l->entries += (u64)(entries + 0.5);
}

/* Count runs of code before the loop that continued into it as entries. */
static void
add_ranges(const struct finder *f, struct branch_loop *l)
{
    for (u32 i = find_end(f, l->object, l->head); i < f->data->nranges; i++) {
        const struct branch_range *r = f->ends[i];

        if (r->object != l->object || r->end >= l->head + f->longest)
            break;
        if (r->start < l->head) {
            l->rounds += r->count;
            l->entries += r->count;
        }
    }
}

/*
 * Add the loop whose head is the target of way[first], if there is one. *next: index of
 * the first way with another target. 0 or -ENOMEM.
 */
static int
add_loop(struct finder *f, u32 first, u32 *next)
{
    const struct branch_edge *e = f->way[first].edge;
    struct branch_loop l = { .object = e->to_object, .head = e->to,
                             .function = f->way[first].to_function };
    u32 i = first;

    for (; i < f->data->nedges && f->way[i].edge->to == l.head &&
           f->way[i].edge->to_object == l.object;
         i++)
        if (is_back(&f->way[i]) && f->way[i].edge->from > l.latch)
            l.latch = f->way[i].edge->from;
    *next = i;
    if (!l.latch)
        return 0;
    add_branches(f, &l);
    add_ranges(f, &l);
    /* Not a loop: code that was moved further down and jumps back once per entry. */
    if (!l.back || l.rounds <= l.entries)
        return 0;
    if (array_room(&f->loop, &f->room, f->nloops + 1, sizeof(l)) < 0)
        return -ENOMEM;
    f->loop[f->nloops++] = l;
    return 0;
}

static int
find_all(struct finder *f)
{
    int ret = 0;

    f->way = calloc((size_t)f->data->nedges + 1, sizeof(*f->way));
    f->ends = calloc((size_t)f->data->nranges + 1, sizeof(const void *));
    if (!f->way || !f->ends)
        return -ENOMEM;
    for (u32 i = 0; i < f->data->nranges; i++) {
        const struct branch_range *r = &f->data->range[i];

        f->ends[i] = r;
        if (r->end - r->start >= f->longest)
            f->longest = r->end - r->start + 1;
    }
    qsort(f->ends, f->data->nranges, sizeof(const void *), by_end);
    for (u32 i = 0; i < f->data->nedges; i++) {
        const struct branch_edge *e = &f->data->edge[i];

        f->way[i] = (struct way){
            e, branches_type(f->session, e),
            function_at(f->session, e->from_object, e->from),
            function_at(f->session, e->to_object, e->to),
        };
    }
    qsort(f->way, f->data->nedges, sizeof(*f->way), by_target);
    for (u32 i = 0; i < f->data->nedges && ret == 0;)
        ret = add_loop(f, i, &i);
    if (f->nloops)
        qsort(f->loop, f->nloops, sizeof(*f->loop), by_rounds);
    return ret;
}

int
loops_get(struct session *session, const struct branch_data *data,
          struct branch_loop **out, u32 *count)
{
    struct finder f = { .session = session, .data = data };
    int ret = find_all(&f);

    free(f.way);
    free(f.ends);
    if (ret < 0) {
        free(f.loop);
        return ret;
    }
    *out = f.loop;
    *count = f.nloops;
    return 0;
}
