/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the first N of any number of items, in an order that the caller defines. Memory
 * grows only with N. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_LARGEST_H
#define ERTOOLS_PRINT_MODEL_LARGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "share/types.h"

struct largest {
    size_t size; /* bytes of an item */
    u32 wanted;  /* N: how many items to keep, at least 1 */
    int (*compare)(const void *, const void *); /* as for qsort() */
    /* The members from here on are 0 at first. */
    char *item; /* for free() */
    u32 count, room;
    bool pruned; /* the first `wanted` items are sorted: later items must be before */
    u64 seen; /* how many items were added */
    bool no_memory;
};

void largest_add(struct largest *largest, const void *item);

/* Sort the items and drop all but the first `wanted`: they are item[0 .. count - 1]. */
void largest_settle(struct largest *largest);

#endif
