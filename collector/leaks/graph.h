/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks that were not freed, and which of them points to which. Any thread of the
 * launcher; one at a time. Memory: some 40 bytes per block, 4 per pointer.
 */
#ifndef ERTOOLS_COLLECTOR_LEAKS_GRAPH_H
#define ERTOOLS_COLLECTOR_LEAKS_GRAPH_H

#include "share/record.h"
#include "share/types.h"

enum {
    GRAPH_PAGE = 12, /* bits */
    GRAPH_NONE = 0x7fffffff,
    GRAPH_INTERIOR = (int)0x80000000u, /* of an edge: into the middle of the block */
};

struct graph_block {
    u64 addr;
    u64 size;
    u32 head;      /* LEFT_INDIRECT: the lost block from which it is reached */
    uint8_t class; /* enum er_left_class, LEFT_UNKNOWN before graph_classify() */
    uint8_t root;  /* bits: 1 a pointer to its beginning, 2 one into it */
};

/* A page of the heap: the blocks that lie in it, or only lay there. */
struct graph_page {
    u64 page; /* its number + 1, 0 = the slot is free */
    u32 first;
    u32 count;
};

struct graph {
    struct graph_block *block; /* by address, disjoint */
    u32 count;
    u64 lo, hi; /* all blocks lie within */
    struct graph_page *page; /* a hash table */
    u64 pages;               /* slots, a power of two; 0 = none */
    u64 used;
    u64 *first; /* by block: its edges; count + 1 of them */
    u32 *edge;
    u64 edges, edge_room;
};

/* Take the blocks (malloc'ed), in any order; graph_free() frees. 0 or -ENOMEM. */
int graph_start(struct graph *g, struct graph_block *block, u32 count);
void graph_free(struct graph *g);

/* Blocks have lain in these pages, though none may do so now. 0 or -ENOMEM. */
int graph_add_heap(struct graph *g, u64 addr, u64 bytes);

/* The entry of the page that holds addr; NULL: it is no page of the heap. */
const struct graph_page *graph_page(const struct graph *g, u64 addr);

/* The block that has this byte, GRAPH_NONE if there is none. */
u32 graph_find(const struct graph *g, u64 addr);

/* May this be an address of a block? */
static inline int
graph_may_have(const struct graph *g, u64 addr)
{
    return addr - g->lo < g->hi - g->lo;
}

/* What points to a block: memory outside of all blocks; or block `from`, in order. */
void graph_add_root(struct graph *g, u32 block, int interior);
int graph_add_edge(struct graph *g, u32 from, u32 to, int interior);

/* After all edges were added: sort the blocks into classes. 0 or -ENOMEM. */
int graph_classify(struct graph *g);

#endif
