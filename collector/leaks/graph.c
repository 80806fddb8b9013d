/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/leaks/graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOT_BEGINNING = 1,
    ROOT_INTERIOR = 2,
    FIRST_SLOTS = 1024,
    FIRST_EDGES = 4096,
};

static int
by_address(const void *a, const void *b)
{
    const struct graph_block *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static u64
slot_of(const struct graph *g, u64 page)
{
    return (page * 0x9e3779b97f4a7c15ull >> 20) & (g->pages - 1);
}

static struct graph_page *
find_slot(const struct graph *g, u64 page)
{
    u64 at = slot_of(g, page);

    while (g->page[at].page && g->page[at].page != page + 1)
        at = (at + 1) & (g->pages - 1);
    return &g->page[at];
}

static int
make_room(struct graph *g)
{
    u64 slots = g->pages ? 2 * g->pages : FIRST_SLOTS;
    struct graph old = *g;

    if (2 * g->used < g->pages)
        return 0;
    g->page = calloc(slots, sizeof(*g->page));
    if (!g->page) {
        g->page = old.page;
        return -ENOMEM;
    }
    g->pages = slots;
    for (u64 i = 0; i < old.pages; i++)
        if (old.page[i].page)
            *find_slot(g, old.page[i].page - 1) = old.page[i];
    free(old.page);
    return 0;
}

static struct graph_page *
add_page(struct graph *g, u64 page)
{
    struct graph_page *slot;

    if (make_room(g) < 0)
        return NULL;
    slot = find_slot(g, page);
    if (!slot->page) {
        *slot = (struct graph_page){ .page = page + 1 };
        g->used++;
    }
    return slot;
}

/* The address of a block's last byte; an empty block is treated as if it had one. */
static u64
last_of(u64 addr, u64 size)
{
    u64 last = size ? addr + size - 1 : addr;

    return last < addr ? UINT64_MAX : last;
}

static int
add_block(struct graph *g, u32 number)
{
    const struct graph_block *b = &g->block[number];
    u64 last = last_of(b->addr, b->size) >> GRAPH_PAGE;

    for (u64 page = b->addr >> GRAPH_PAGE; page <= last; page++) {
        struct graph_page *slot = add_page(g, page);

        if (!slot)
            return -ENOMEM;
        if (!slot->count)
            slot->first = number;
        slot->count++;
    }
    return 0;
}

/* If two blocks overlap, one record must be wrong: cut the block that begins first. */
static void
make_disjoint(struct graph *g)
{
    for (u32 i = 0; i + 1 < g->count; i++) {
        u64 room = g->block[i + 1].addr - g->block[i].addr;

        if (g->block[i].size > room)
            g->block[i].size = room;
    }
}

int
graph_start(struct graph *g, struct graph_block *block, u32 count)
{
    *g = (struct graph){ .block = block, .count = count };
    if (count)
        qsort(block, count, sizeof(*block), by_address);
    make_disjoint(g);
    g->first = calloc((size_t)count + 1, sizeof(*g->first));
    if (!g->first)
        return -ENOMEM;
    for (u32 i = 0; i < count; i++)
        if (add_block(g, i) < 0)
            return -ENOMEM;
    if (count) {
        g->lo = block[0].addr;
        g->hi = last_of(block[count - 1].addr, block[count - 1].size) + 1;
    }
    return 0;
}

void
graph_free(struct graph *g)
{
    free(g->block);
    free(g->page);
    free(g->first);
    free(g->edge);
    memset(g, 0, sizeof(*g));
}

int
graph_add_heap(struct graph *g, u64 addr, u64 bytes)
{
    u64 last = last_of(addr, bytes) >> GRAPH_PAGE;

    for (u64 page = addr >> GRAPH_PAGE; page <= last; page++)
        if (!add_page(g, page))
            return -ENOMEM;
    return 0;
}

const struct graph_page *
graph_page(const struct graph *g, u64 addr)
{
    const struct graph_page *slot;

    if (!g->pages)
        return NULL;
    slot = find_slot(g, addr >> GRAPH_PAGE);
    return slot->page ? slot : NULL;
}

u32
graph_find(const struct graph *g, u64 addr)
{
    const struct graph_page *page = graph_page(g, addr);
    u32 lo, hi;

    if (!page || !page->count)
        return GRAPH_NONE;
    /* Search for the last block that begins at or before addr. */
    lo = page->first;
    hi = page->first + page->count;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;

        if (g->block[mid].addr <= addr)
            lo = mid;
        else
            hi = mid;
    }
    if (g->block[lo].addr > addr ||
        last_of(g->block[lo].addr, g->block[lo].size) < addr)
        return GRAPH_NONE;
    return lo;
}

void
graph_add_root(struct graph *g, u32 block, int interior)
{
    g->block[block].root |= interior ? ROOT_INTERIOR : ROOT_BEGINNING;
}

int
graph_add_edge(struct graph *g, u32 from, u32 to, int interior)
{
    if (g->edges == g->edge_room) {
        u64 room = g->edge_room ? 2 * g->edge_room : FIRST_EDGES;
        u32 *grown = reallocarray(g->edge, room, sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        g->edge = grown;
        g->edge_room = room;
    }
    g->edge[g->edges++] = to | (interior ? (u32)GRAPH_INTERIOR : 0);
    /* Until number_edges() runs, first[] holds the number of a block's edges. */
    g->first[from]++;
    return 0;
}

/* Turn first[] from numbers of edges into the index of each block's first edge. */
static void
number_edges(struct graph *g)
{
    u64 at = 0;

    for (u32 i = 0; i <= g->count; i++) {
        u64 here = g->first[i];

        g->first[i] = at;
        at += here;
    }
}

/* A traversal: the blocks that were reached, but whose edges are not followed yet. */
struct graph_walk {
    struct graph *g;
    u32 *stack; /* each block is pushed at most once, so `count` entries suffice */
    u32 depth;
};

static void
reach(struct graph_walk *w, u32 block, enum er_left_class class, u32 head)
{
    w->g->block[block].class = (uint8_t)class;
    w->g->block[block].head = head;
    w->stack[w->depth++] = block;
}

/* Mark all blocks that can be reached by pointers to the beginnings of blocks. */
static void
walk_reachable(struct graph_walk *w)
{
    struct graph *g = w->g;

    while (w->depth) {
        u32 from = w->stack[--w->depth];

        for (u64 e = g->first[from]; e < g->first[from + 1]; e++)
            if (!(g->edge[e] & (u32)GRAPH_INTERIOR) &&
                g->block[g->edge[e]].class == LEFT_UNKNOWN)
                reach(w, g->edge[e], LEFT_REACHABLE, 0);
    }
}

/* Follow all pointers, also interior ones, to blocks that were not reached yet. */
static void
walk_possible(struct graph_walk *w)
{
    struct graph *g = w->g;

    while (w->depth) {
        u32 from = w->stack[--w->depth];

        for (u64 e = g->first[from]; e < g->first[from + 1]; e++) {
            u32 to = g->edge[e] & GRAPH_NONE;

            if (g->block[to].class == LEFT_UNKNOWN)
                reach(w, to, LEFT_POSSIBLY, 0);
        }
    }
}

/*
 * Mark the blocks to which a lost block leads as indirectly lost. A block among them
 * that was classified as lost before becomes indirectly lost, too, with `head` as its
 * head.
 */
static void
walk_lost(struct graph_walk *w, u32 head)
{
    struct graph *g = w->g;

    reach(w, head, LEFT_LOST, head);
    while (w->depth) {
        u32 from = w->stack[--w->depth];

        for (u64 e = g->first[from]; e < g->first[from + 1]; e++) {
            u32 to = g->edge[e] & GRAPH_NONE;

            if (g->block[to].class == LEFT_UNKNOWN)
                reach(w, to, LEFT_INDIRECT, head);
            else if (g->block[to].class == LEFT_LOST && to != head) {
                g->block[to].class = LEFT_INDIRECT;
                g->block[to].head = head;
            }
        }
    }
}

/*
 * If the head of a block is itself indirectly lost, replace it by the head's own head,
 * and so on.
 */
static void
settle_heads(struct graph *g)
{
    for (u32 i = 0; i < g->count; i++) {
        u32 head = i;

        if (g->block[i].class != LEFT_INDIRECT)
            continue;
        while (g->block[head].class == LEFT_INDIRECT)
            head = g->block[head].head;
        /*
         * Set the same head in all blocks on the way, so that later searches are short.
         */
        for (u32 at = i; g->block[at].class == LEFT_INDIRECT;) {
            u32 next = g->block[at].head;

            g->block[at].head = head;
            at = next;
        }
    }
}

static void
walk_all(struct graph_walk *w)
{
    struct graph *g = w->g;

    for (u32 i = 0; i < g->count; i++)
        if (g->block[i].root & ROOT_BEGINNING && g->block[i].class == LEFT_UNKNOWN) {
            reach(w, i, LEFT_REACHABLE, 0);
            walk_reachable(w);
        }
    for (u32 i = 0; i < g->count; i++) {
        if (g->block[i].root & ROOT_INTERIOR && g->block[i].class == LEFT_UNKNOWN)
            reach(w, i, LEFT_POSSIBLY, 0);
        else if (g->block[i].class == LEFT_REACHABLE)
            for (u64 e = g->first[i]; e < g->first[i + 1]; e++) {
                u32 to = g->edge[e] & GRAPH_NONE;

                if (g->block[to].class == LEFT_UNKNOWN)
                    reach(w, to, LEFT_POSSIBLY, 0);
            }
        walk_possible(w);
    }
    for (u32 i = 0; i < g->count; i++)
        if (g->block[i].class == LEFT_UNKNOWN)
            walk_lost(w, i);
    settle_heads(g);
}

int
graph_classify(struct graph *g)
{
    struct graph_walk w = { .g = g };

    w.stack = malloc(((size_t)g->count + 1) * sizeof(*w.stack));
    if (!w.stack)
        return -ENOMEM;
    number_edges(g);
    walk_all(&w);
    free(w.stack);
    return 0;
}
