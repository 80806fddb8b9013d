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
    size_t size; /* of an item */
    u32 wanted;  /* at least 1 */
    int (*compare)(const void *, const void *); /* as for qsort() */
    /* All 0 at the start. */
    char *item; /* for free() */
    u32 count, room;
    bool pruned;
    u64 seen; /* how many there were */
    bool no_memory;
};

void largest_add(struct largest *largest, const void *item);

/* Sort what is kept, and drop the rest: the wanted items are item[0 .. count - 1]. */
void largest_settle(struct largest *largest);

#endif
