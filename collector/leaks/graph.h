/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph of the blocks that were not freed and of the pointers between them. Called
 * by any thread of the launcher, one at a time. Memory: some 40 bytes per block, 4 per
 * pointer.
 */
#ifndef ERTOOLS_COLLECTOR_LEAKS_GRAPH_H
#define ERTOOLS_COLLECTOR_LEAKS_GRAPH_H

#include "share/record.h"
#include "share/types.h"

enum {
    GRAPH_PAGE = 12, /* log2 of the bytes of a page */
    GRAPH_NONE = 0x7fffffff, /* in place of a block's index: no block */
    GRAPH_INTERIOR = (int)0x80000000u, /* flag of an edge: into the block's middle */
};

struct graph_block {
    u64 addr;
    u64 size;
    u32 head;      /* LEFT_INDIRECT: index of the lost block that leads to it */
    uint8_t class; /* enum er_left_class, LEFT_UNKNOWN before graph_classify() */
    uint8_t root;  /* bits: 1 = a root points to its beginning, 2 = into its middle */
};

/* A page of the heap, and the blocks in it. count 0: all blocks there were freed. */
struct graph_page {
    u64 page; /* its address >> GRAPH_PAGE, plus 1; 0 = the slot is free */
    u32 first; /* index of the first block in it */
    u32 count;
};

struct graph {
    struct graph_block *block; /* sorted by address; they do not overlap */
    u32 count;
    u64 lo, hi; /* all blocks lie within */
    struct graph_page *page; /* a hash table */
    u64 pages;               /* slots, a power of two; 0 = none */
    u64 used;
    u64 *first; /* by block: the index of its first edge; count + 1 entries */
    u32 *edge;  /* indices of the blocks pointed to, with GRAPH_INTERIOR or not */
    u64 edges, edge_room;
};

/*
 * Begin a graph of these blocks, which may be in any order and may overlap. `block` is
 * malloc'ed and now belongs to the graph, also after an error: graph_free() frees it. 0
 * or -ENOMEM.
 */
int graph_start(struct graph *g, struct graph_block *block, u32 count);
void graph_free(struct graph *g);

/*
 * Add the pages of a freed block, so that graph_page() knows them as heap. 0 or
 * -ENOMEM.
 */
int graph_add_heap(struct graph *g, u64 addr, u64 bytes);

/* The entry of the page that holds addr; NULL if it is not a page of the heap. */
const struct graph_page *graph_page(const struct graph *g, u64 addr);

/*
 * The index of the block that contains this byte, or GRAPH_NONE. An empty block counts
 * as one byte.
 */
u32 graph_find(const struct graph *g, u64 addr);

/* May this be an address of a block? */
static inline int
graph_may_have(const struct graph *g, u64 addr)
{
    return addr - g->lo < g->hi - g->lo;
}

/*
 * Add a pointer to a block. graph_add_root(): it is in memory outside of all blocks.
 * graph_add_edge(): it is in the block `from`; edges must be added in ascending order
 * of `from`; 0 or -ENOMEM. interior: it points into the block's middle.
 */
void graph_add_root(struct graph *g, u32 block, int interior);
int graph_add_edge(struct graph *g, u32 from, u32 to, int interior);

/* After all edges were added: sort the blocks into classes. 0 or -ENOMEM. */
int graph_classify(struct graph *g);

#endif
