/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of events by key. Memory grows with the number of keys. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_BINS_H
#define ERTOOLS_PRINT_MODEL_BINS_H

#include <stdbool.h>

#include "print/base/hash.h"
#include "share/types.h"

/* The key of events that are summed up together. The caller defines its members. */
struct bin_key {
    u64 object;
    u32 node;
    u32 other;
    u32 what;
    u32 thread;
};

struct bin {
    struct bin_key key;
    u64 count;
    u64 bytes;
    u64 time;  /* sum of the times that events took, in the caller's unit */
    u64 most;  /* the longest of these times */
    u64 first; /* the earliest moment, in the caller's unit; UINT64_MAX = none */
};

enum {
    BINS_CACHE = 1024, /* a power of two */
};

/* All 0 is empty. */
struct bins {
    struct bin *bin;
    u32 count;
    u32 room;
    struct hash hash;
    u32 cache[BINS_CACHE]; /* index of a bin + 1, 0 = empty */
    /*
     * The largest number of keys, 0 = no limit. When it is reached, an event with a new
     * key counts at a key with the same object and what, whose other members are
     * BINS_REST; such keys are added even then.
     */
    u32 limit;
    bool no_memory;
};

#define BINS_REST UINT32_MAX

/*
 * The bin of a key, which is made if the key is new; NULL = no memory (and
 * bins->no_memory).
 */
struct bin *bins_of(struct bins *bins, const struct bin_key *key);

/* Count an event with its bytes, the time that it took, and its moment `at`. */
void bins_add(struct bins *bins, const struct bin_key *key, u64 bytes, u64 time,
              u64 at);

/*
 * Like bins_add(), for a part of an event that was cut. count: 1 for the last part, in
 * which the event ends, else 0.
 */
void bins_add_part(struct bins *bins, const struct bin_key *key, u64 count, u64 bytes,
                   u64 time, u64 at);

/* Add all of `from`. */
void bins_merge(struct bins *to, const struct bins *from);

/* Sort by object, what, node, other and thread. Nothing can be added afterwards. */
void bins_sort(struct bins *bins);

void bins_free(struct bins *bins);

#endif
