/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address ranges that do not overlap. Each is a mapping or what is left of one; any
 * part of a range can be taken out. A balanced tree (a treap). For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_RANGES_H
#define ERTOOLS_PRINT_MODEL_RANGES_H

#include "share/types.h"

struct range {
    u64 lo; /* [lo, hi) */
    u64 hi;
    u32 mapping; /* the caller's number */
    u32 left, right; /* 0 = none */
    u32 priority;
};

/* All 0 is empty, but `pieces` must be set. */
struct ranges {
    struct range *node; /* 0 is none */
    u32 count;
    u32 room;
    u32 root;
    u32 free; /* first unused node, linked by left */
    u64 random;
    /*
     * Called when a mapping got `more` ranges more (fewer, if negative), and lost
     * `bytes` bytes; 0 bytes if it was added, or only cut in two.
     */
    void (*pieces)(void *context, u32 mapping, u64 bytes, int more);
    void *context;
};

/*
 * Add [lo, hi), which no range overlaps. Calls pieces(), since its mapping has one
 * range more. 0 or -ENOMEM.
 */
int ranges_add(struct ranges *ranges, u64 lo, u64 hi, u32 mapping);

/* Take out all of [lo, hi). 0 or -ENOMEM, when a range cannot be cut in two. */
int ranges_cut(struct ranges *ranges, u64 lo, u64 hi);

/* The range that contains an address, NULL = none does. */
const struct range *ranges_find(const struct ranges *ranges, u64 addr);

/* The lowest range that ends behind an address, NULL = none. */
const struct range *ranges_next(const struct ranges *ranges, u64 addr);

void ranges_free(struct ranges *ranges);

#endif
