/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The live blocks, in a table by address. Memory grows with the number of live blocks:
 * 24 bytes for each, plus free slots. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_BLOCKS_H
#define ERTOOLS_PRINT_MODEL_HEAP_BLOCKS_H

#include <stdbool.h>

#include "share/types.h"

enum {
    BLOCKS_BITS = 48, /* bits of sizes and times; greater values are cut to that */
};

struct block {
    u64 addr;
    u64 size_late; /* size << 16 | high bits of the time */
    u32 time_low;
    u32 owner; /* the caller's number + 1; 0 = the slot is free */
};

_Static_assert(sizeof(struct block) == 24, "memory is per live block");

/* All 0 is empty. */
struct blocks {
    struct block *slot;
    u64 slots; /* any number */
    u64 count;
};

/* What is known of a block. */
struct block_info {
    u64 size; /* bytes */
    u64 time; /* in any unit; counts from any moment that the caller chooses */
    u32 owner; /* a number of the caller */
};

static inline u64
blocks_home(const struct blocks *blocks, u64 addr)
{
    u64 mixed = (addr >> 3) * 0x9e3779b97f4a7c15;

    mixed ^= mixed >> 29;
    mixed *= 0xbf58476d1ce4e5b9;
    return (u64)((unsigned __int128)mixed * blocks->slots >> 64);
}

/* Prefetch the slot that looking up addr will read. */
static inline void
blocks_prefetch(const struct blocks *blocks, u64 addr)
{
    if (ER_LIKELY(blocks->slots))
        ER_PREFETCH(&blocks->slot[blocks_home(blocks, addr)]);
}

static inline u64
blocks_clamp(u64 v)
{
    return v >> BLOCKS_BITS ? ((u64)1 << BLOCKS_BITS) - 1 : v;
}

static inline struct block_info
blocks_info(const struct block *block)
{
    return (struct block_info){
        .size = block->size_late >> 16,
        .time = (block->size_late & 0xffff) << 32 | block->time_low,
        .owner = block->owner - 1,
    };
}

/* Get the block at addr; valid until the table changes. NULL = there is none. */
static inline struct block *
blocks_find(const struct blocks *blocks, u64 addr)
{
    u64 at;

    if (ER_UNLIKELY(!blocks->slots))
        return NULL;
    for (at = blocks_home(blocks, addr); blocks->slot[at].owner;
         at = at + 1 == blocks->slots ? 0 : at + 1)
        if (blocks->slot[at].addr == addr)
            return &blocks->slot[at];
    return NULL;
}

static inline void
blocks_fill(struct block *block, u64 addr, const struct block_info *info)
{
    u64 time = blocks_clamp(info->time);

    block->addr = addr;
    block->size_late = blocks_clamp(info->size) << 16 | time >> 32;
    block->time_low = (u32)time;
    block->owner = info->owner + 1;
}

/* Add a block at an address where there is none. 0 or -ENOMEM. */
int blocks_add(struct blocks *blocks, u64 addr, const struct block_info *info);

/* Remove a block that blocks_find() has returned. */
void blocks_remove(struct blocks *blocks, struct block *block);

void blocks_free(struct blocks *blocks);

#endif
