/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/lockcycle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"

enum {
    CYCLES_MAX = 1000,
    WORK_MAX = 100000000, /* edges looked at */
    NONE = UINT32_MAX,
};

struct search {
    const struct lock_order *order;
    struct lock_cycles cycles;
    struct hash known;
    u32 *group; /* by vertex: its group; vertices of a group reach each other */
    u32 *come;  /* by vertex: the edge by which the last search came there */
    u32 *queue;
    u32 *turn; /* by vertex: number of the last search that came there */
    u32 turns;
    u64 work;
};

/*
 * State of Tarjan's algorithm; it has a stack of its own, so that it needs no
 * recursion.
 */
struct tarjan {
    const struct lock_order *order;
    u32 *index, *low, *next; /* by vertex; index: + 1, 0 = not met yet */
    u32 *path, depth;        /* on the way down */
    u32 *open, opened;       /* vertices met that are in no group yet */
    u32 *group, groups;
    u32 count;
};

static void
enter_lock(struct tarjan *t, u32 v)
{
    t->index[v] = t->low[v] = ++t->count;
    t->next[v] = t->order->out[v];
    t->path[t->depth++] = v;
    t->open[t->opened++] = v;
}

static void
leave(struct tarjan *t, u32 v)
{
    u32 w;

    t->depth--;
    if (t->depth && t->low[v] < t->low[t->path[t->depth - 1]])
        t->low[t->path[t->depth - 1]] = t->low[v];
    if (t->low[v] != t->index[v])
        return;
    do {
        w = t->open[--t->opened];
        t->group[w] = t->groups;
    } while (w != v);
    t->groups++;
}

static void
run_tarjan(struct tarjan *t, u32 from)
{
    if (!t->index[from])
        enter_lock(t, from);
    while (t->depth) {
        u32 v = t->path[t->depth - 1], w;

        if (t->next[v] == t->order->out[v + 1]) {
            leave(t, v);
            continue;
        }
        w = t->order->edge[t->next[v]++].to;
        if (!t->index[w])
            enter_lock(t, w);
        else if (t->group[w] == NONE && t->index[w] < t->low[v])
            t->low[v] = t->index[w];
    }
}

static int
find_groups(struct search *s)
{
    size_t n = (size_t)s->order->vertices + 1;
    u32 *memory = calloc(5 * n, sizeof(*memory));
    struct tarjan t = { .order = s->order, .group = s->group };

    if (!memory)
        return -ENOMEM;
    t.index = memory;
    t.low = memory + n;
    t.next = memory + 2 * n;
    t.path = memory + 3 * n;
    t.open = memory + 4 * n;
    memset(s->group, 0xff, n * sizeof(*s->group));
    for (u32 v = 0; v < s->order->vertices; v++)
        run_tarjan(&t, v);
    free(memory);
    return 0;
}

/* Search a path from the edge's end back to its beginning; false if none was found. */
static bool
find_way(struct search *s, const struct order_edge *edge)
{
    const struct lock_order *o = s->order;
    u32 head = 0, tail = 0;

    s->turn[edge->to] = ++s->turns;
    s->queue[tail++] = edge->to;
    while (head < tail && s->work < WORK_MAX) {
        u32 v = s->queue[head++];

        for (u32 e = o->out[v]; e < o->out[v + 1]; e++) {
            u32 w = o->edge[e].to;

            s->work++;
            if (s->group[w] != s->group[v] || s->turn[w] == s->turns)
                continue;
            s->turn[w] = s->turns;
            s->come[w] = e;
            if (w == edge->from)
                return true;
            s->queue[tail++] = w;
        }
    }
    return false;
}

static bool
same_cycle(const void *context, u32 index)
{
    const struct search *s = context;
    const struct lock_cycle *old = &s->cycles.cycle[index];
    const struct lock_cycle *new = &s->cycles.cycle[s->cycles.count];

    return old->count == new->count &&
           !memcmp(s->cycles.edge + old->first, s->cycles.edge + new->first,
                   old->count * sizeof(u32));
}

/* Rotate a cycle, so that it begins with its lowest edge. */
static void
rotate(u32 *edge, u32 count)
{
    u32 lowest = 0;
    u32 *turned = edge + count; /* room for as many again */

    for (u32 i = 1; i < count; i++)
        if (edge[i] < edge[lowest])
            lowest = i;
    for (u32 i = 0; i < count; i++)
        turned[i] = edge[(lowest + i) % count];
    memcpy(edge, turned, count * sizeof(*edge));
}

/*
 * Keep the cycle that consists of an edge and of the path that was found back to its
 * beginning, unless it is known already.
 */
static int
keep(struct search *s, u32 edge)
{
    const struct lock_order *o = s->order;
    struct lock_cycles *c = &s->cycles;
    struct lock_cycle cycle = { c->edges, 1 };
    u32 hash, *at;

    for (u32 v = o->edge[edge].from; v != o->edge[edge].to;
         v = o->edge[s->come[v]].from)
        cycle.count++;
    if (array_room(&c->edge, &c->edge_room, c->edges + 2 * cycle.count,
                   sizeof(*c->edge)) < 0 ||
        array_room(&c->cycle, &c->room, c->count + 1, sizeof(cycle)) < 0)
        return -ENOMEM;
    at = c->edge + cycle.first;
    at[0] = edge;
    for (u32 v = o->edge[edge].from, i = cycle.count; v != o->edge[edge].to;
         v = o->edge[s->come[v]].from)
        at[--i] = s->come[v];
    rotate(at, cycle.count);
    c->cycle[c->count] = cycle;
    hash = (u32)hash_bytes(0, at, cycle.count * sizeof(*at));
    if (hash_find(&s->known, hash, same_cycle, s) != HASH_NONE)
        return 0;
    c->edges += cycle.count;
    return hash_add(&s->known, hash, c->count++);
}

static int
search(struct search *s)
{
    const struct lock_order *o = s->order;

    for (u32 e = 0; e < o->edges; e++) {
        const struct order_edge *edge = &o->edge[e];

        if (s->group[edge->from] != s->group[edge->to] || edge->from == edge->to)
            continue;
        if (s->cycles.count == CYCLES_MAX || s->work >= WORK_MAX) {
            s->cycles.more = true;
            break;
        }
        if (find_way(s, edge) && keep(s, e) < 0)
            return -ENOMEM;
    }
    return 0;
}

int
lockcycle_find(const struct lock_order *order, struct lock_cycles *out)
{
    size_t n = (size_t)order->vertices + 1;
    u32 *memory = calloc(4 * n, sizeof(*memory));
    struct search s = { .order = order };
    int ret = -ENOMEM;

    if (memory) {
        s.group = memory;
        s.come = memory + n;
        s.queue = memory + 2 * n;
        s.turn = memory + 3 * n;
        ret = find_groups(&s);
    }
    if (ret == 0)
        ret = search(&s);
    free(memory);
    hash_free(&s.known);
    if (ret < 0)
        lockcycle_free(&s.cycles);
    else
        *out = s.cycles;
    return ret;
}

void
lockcycle_free(struct lock_cycles *cycles)
{
    free(cycles->cycle);
    free(cycles->edge);
    memset(cycles, 0, sizeof(*cycles));
}
