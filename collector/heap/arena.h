/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for allocations that are made while the real allocator is being looked up:
 * dlsym() allocates. Blocks are few and are never freed. Any context, no locks.
 */
#ifndef ERTOOLS_COLLECTOR_HEAP_ARENA_H
#define ERTOOLS_COLLECTOR_HEAP_ARENA_H

#include <stddef.h>

#include "share/types.h"

enum {
    /* large blocks, and those that do not fit, get pages of their own */
    ARENA_BYTES = 65536,
};

extern char arena_memory[ARENA_BYTES];
extern void *arena_pages; /* blocks outside of arena_memory, a list */

/* Get zeroed bytes; align is a power of two. NULL = the kernel has no memory. */
void *arena_zalloc(size_t bytes, size_t align);

/* The size of a block of the arena, in bytes. */
size_t arena_size(const void *block);

/* 1 if block is in the list arena_pages. */
int arena_has_page(const void *block);

/* Is the block from the arena? */
static inline int
arena_owns(const void *block)
{
    if ((size_t)((const char *)block - arena_memory) < ARENA_BYTES)
        return 1;
    return ER_UNLIKELY(arena_pages != NULL) && arena_has_page(block);
}

#endif
