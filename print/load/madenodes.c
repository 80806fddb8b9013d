/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/madenodes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

enum {
    SUBSTITUTES_MAX = 1 << 26,
    NO_CODE = NODE_TRUNCATED | NODE_COLLECTOR | NODE_JOINED | NODE_WAITING,
    BUSY = UINT32_MAX, /* node_times.span: in progress; parents may form a cycle */
};

struct work {
    struct node_times *t;
    const struct nodes *nodes; /* without substitutes */
    const struct nodes *out;
    const struct made *made;
    bool (*wanted)(const void *context, const struct node_row *row);
    const void *context;
    u32 count; /* of nodes in the file */
    u32 room;
    u32 *climb; /* a node's id and those of its callers, outwards */
    u32 climb_room;
    /* Indices of the functions that one address ever had. */
    u32 *owner;
    u32 owners;
    u32 owner_room;
    /* The ticks at which the meaning of one node changes. */
    u64 *edge;
    u32 edges;
    u32 edge_room;
    int error;
};

static void
on_owner(void *context, u32 index)
{
    struct work *w = context;

    if (array_room(&w->owner, &w->owner_room, w->owners + 1, sizeof(index)) < 0)
        w->error = -ENOMEM;
    else
        w->owner[w->owners++] = index;
}

static void
add_edge(struct work *w, u64 tick)
{
    if (tick == 0 || tick == UINT64_MAX)
        return;
    if (array_room(&w->edge, &w->edge_room, w->edges + 1, sizeof(tick)) < 0)
        w->error = -ENOMEM;
    else
        w->edge[w->edges++] = tick;
}

/*
 * An address within the node's instruction: of a call, the byte before its return pc.
 */
static u64
address_of(const struct node_row *row)
{
    return row->pc - !(row->flags & NODE_EXACT);
}

static void
find_owners(struct work *w, const struct node_row *row)
{
    w->owners = 0;
    if (!(row->flags & NO_CODE) &&
        w->wanted(w->context, row))
        made_at(w->made, address_of(row), on_owner, w);
}

static int
by_value(const void *a, const void *b)
{
    const u64 *left = a, *right = b;

    return *left < *right ? -1 : *left > *right;
}

static void
sort_edges(struct work *w)
{
    u32 n = 0;

    if (!w->edges)
        return;
    qsort(w->edge, w->edges, sizeof(*w->edge), by_value);
    for (u32 i = 0; i < w->edges; i++)
        if (!n || w->edge[n - 1] != w->edge[i])
            w->edge[n++] = w->edge[i];
    w->edges = n;
}

/*
 * Which of w->owner was at the node's address at that time: index of the function + 1,
 * 0 = none.
 */
static u32
owner_at(const struct work *w, u64 tick)
{
    for (u32 i = 0; i < w->owners; i++) {
        const struct made_function *f = &w->made->function[w->owner[i]];

        if (tick >= f->from && tick < f->to)
            return w->owner[i] + 1;
    }
    return 0;
}

static void
substitute(struct work *w, u32 id, u32 parent)
{
    struct node_times *t = w->t;

    if (t->rows + w->edges + 1 > SUBSTITUTES_MAX)
        w->error = -EOVERFLOW;
    else if (array_room(&t->row, &w->room, t->rows + w->edges + 1, sizeof(*t->row)) < 0)
        w->error = -ENOMEM;
    if (w->error)
        return;
    t->first[id] = t->base + t->rows;
    t->span[id] = w->edges + 1;
    for (u32 i = 0; i <= w->edges; i++) {
        u64 from = i ? w->edge[i - 1] : 0;

        t->row[t->rows++] = (struct node_substitute){
            from, id, parent ? nodes_at(w->out, parent, from) : 0, owner_at(w, from)
        };
    }
}

/* Compute what a node stands for; its parent must have been computed before. */
static void
do_node(struct work *w, u32 id, const struct node_row *row)
{
    struct node_times *t = w->t;
    u32 parent = row->parent < w->count && t->span[row->parent] != BUSY ? row->parent
                                                                        : 0;

    t->span[id] = 1;
    w->edges = 0;
    find_owners(w, row);
    if (w->owners == 1 && w->made->function[w->owner[0]].to == UINT64_MAX) {
        t->owner[id] = w->owner[0] + 1;
        w->owners = 0;
    }
    for (u32 i = 0; i < w->owners; i++) {
        add_edge(w, w->made->function[w->owner[i]].from);
        add_edge(w, w->made->function[w->owner[i]].to);
    }
    for (u32 i = 1; parent && t->first[parent] && i < t->span[parent]; i++)
        add_edge(w, t->row[t->first[parent] - t->base + i].from);
    if (w->error || !w->edges)
        return;
    sort_edges(w);
    substitute(w, id, parent);
    /* The only function at its address exists to the end: all substitutes are in it. */
    for (u32 i = 0; !w->error && t->owner[id] && i < t->span[id]; i++)
        t->row[t->first[id] - t->base + i].owner = t->owner[id];
}

/* Compute the callers of a node, outermost first, then the node itself. */
static void
do_chain(struct work *w, u32 id)
{
    struct node_times *t = w->t;
    struct node_row row;
    u32 depth = 0;

    while (id && id < w->count && !t->span[id] && nodes_get(w->nodes, id, &row) == 0 &&
           !w->error) {
        if (array_room(&w->climb, &w->climb_room, depth + 1, sizeof(id)) < 0)
            w->error = -ENOMEM;
        else
            w->climb[depth++] = id;
        t->span[id] = BUSY;
        id = row.parent;
    }
    while (depth-- > 0 && !w->error)
        if (nodes_get(w->nodes, w->climb[depth], &row) == 0)
            do_node(w, w->climb[depth], &row);
}

void
madenodes_free(struct nodes *nodes)
{
    struct node_times *t = nodes->times;

    if (!t)
        return;
    nodes->count = t->base;
    nodes->times = NULL;
    free(t->owner);
    free(t->first);
    free(t->span);
    free(t->row);
    free(t);
}

static int
allocate(struct nodes *nodes)
{
    struct node_times *t = calloc(1, sizeof(*t));

    if (!t)
        return -ENOMEM;
    t->base = nodes->count;
    t->owner = calloc((size_t)t->base + 1, sizeof(*t->owner));
    t->first = calloc((size_t)t->base + 1, sizeof(*t->first));
    t->span = calloc((size_t)t->base + 1, sizeof(*t->span));
    nodes->times = t;
    return t->owner && t->first && t->span ? 0 : -ENOMEM;
}

int
madenodes_open(struct nodes *nodes, const struct made *made,
               bool (*wanted)(const void *context, const struct node_row *row),
               const void *context)
{
    const struct nodes plain = *nodes;
    struct work w = { .nodes = &plain, .out = nodes, .made = made, .wanted = wanted,
                      .context = context, .count = nodes->count };

    w.error = allocate(nodes);
    w.t = nodes->times;
    for (u32 id = 1; id < w.count && !w.error; id++)
        do_chain(&w, id);
    free(w.climb);
    free(w.owner);
    free(w.edge);
    if (w.error == 0)
        nodes->count = w.t->base + w.t->rows;
    else
        madenodes_free(nodes);
    return w.error;
}
