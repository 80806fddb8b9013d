/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash index over elements of an array that is elsewhere: it maps a hash value to the
 * indices of elements. Any context that may allocate.
 */
#ifndef ERTOOLS_PRINT_BASE_HASH_H
#define ERTOOLS_PRINT_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>

#include "share/types.h"

enum {
    HASH_NONE = UINT32_MAX,
};

struct hash_slot {
    u32 hash;
    u32 index; /* index of the element + 1; 0 = the slot is empty */
};

/* An index that is all 0 is empty. */
struct hash {
    struct hash_slot *slot;
    u32 slots; /* a power of two; 0 = nothing was added */
    u32 count;
};

/*
 * Add an element by its hash value and its index, without a check for an equal one. 0
 * or -ENOMEM.
 */
int hash_add(struct hash *hash, u32 value, u32 index);

void hash_free(struct hash *hash);

/* Hash functions for integers (the finalizer of splitmix64) and for bytes. */
static inline u64
hash_mix(u64 v)
{
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9;
    v = (v ^ v >> 27) * 0x94d049bb133111eb;
    return v ^ v >> 31;
}

u64 hash_bytes(u64 seed, const void *data, size_t len);
u64 hash_str(u64 seed, const char *s);

/*
 * The index of an element with that hash value for which same() is true; HASH_NONE if
 * there is none.
 */
static inline u32
hash_find(const struct hash *hash, u32 value, bool (*same)(const void *key, u32 index),
          const void *key)
{
    if (!hash->slots)
        return HASH_NONE;
    for (u32 at = value & (hash->slots - 1); hash->slot[at].index;
         at = (at + 1) & (hash->slots - 1)) {
        const struct hash_slot *slot = &hash->slot[at];

        if (slot->hash == value && same(key, slot->index - 1))
            return slot->index - 1;
    }
    return HASH_NONE;
}

#endif
