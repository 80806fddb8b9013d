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
    u32 mapping; /* the caller's number of the mapping */
    u32 left, right; /* indices of child nodes, 0 = none */
    u32 priority;
};

/* All 0 is empty, but `pieces` must be set. */
struct ranges {
    struct range *node; /* [0] is not used */
    u32 count;
    u32 room;
    u32 root; /* index in node, 0 = empty */
    u32 free; /* index of the first unused node; they are linked by left; 0 = none */
    u64 random;
    /*
     * Called when a mapping gets `more` ranges (negative: loses them) and loses `bytes`
     * bytes: 0 if the range is new, or was cut in two.
     */
    void (*pieces)(void *context, u32 mapping, u64 bytes, int more);
    void *context;
};

/*
 * Add [lo, hi), which no range overlaps, and call pieces(). An empty range is ignored.
 * 0 or -ENOMEM.
 */
int ranges_add(struct ranges *ranges, u64 lo, u64 hi, u32 mapping);

/* Take out all of [lo, hi). 0; -ENOMEM: a range could not be cut in two. */
int ranges_cut(struct ranges *ranges, u64 lo, u64 hi);

/* The range that contains an address, NULL = none does. */
const struct range *ranges_find(const struct ranges *ranges, u64 addr);

/* The lowest range that contains an address or is above it, NULL = none. */
const struct range *ranges_next(const struct ranges *ranges, u64 addr);

void ranges_free(struct ranges *ranges);

#endif
