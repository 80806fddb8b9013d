/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks that are never freed. One pass over the heap's records collects them, so
 * that the next pass knows at the beginning of a block whether it will be freed. For
 * the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPLEFT_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPLEFT_H

#include "print/model/heap/blocks.h"

/* A block that exists at the end, or a part of a mapping that is left then. */
struct left {
    u64 addr; /* where it began */
    u64 time; /* as in struct block_info */
    u64 bytes;
};

/* All 0 is empty. */
struct heapleft {
    struct left *row;
    u32 count;
    u32 room;
};

/*
 * Add a block or a part of one: heapleft_find() adds up the bytes of all rows with the
 * same address and time. 0 or -ENOMEM.
 */
int heapleft_add(struct heapleft *left, u64 addr, u64 time, u64 bytes);
/* Add all blocks of a table. 0 or -ENOMEM. */
int heapleft_add_blocks(struct heapleft *left, const struct blocks *blocks);

/* Call this when all blocks have been added, before heapleft_find(). */
void heapleft_sort(struct heapleft *left);

/* Get how many bytes of a block are never freed; 0 = it is freed. */
u64 heapleft_find(const struct heapleft *left, u64 addr, u64 time);

void heapleft_free(struct heapleft *left);

#endif
