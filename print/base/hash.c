/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void
put(struct hash_slot *slot, u32 slots, struct hash_slot new)
{
    u32 at = new.hash & (slots - 1);

    while (slot[at].index)
        at = (at + 1) & (slots - 1);
    slot[at] = new;
}

static int
grow(struct hash *hash)
{
    u64 slots = hash->slots ? (u64)hash->slots * 2 : 64;
    struct hash_slot *slot;

    if (slots > 1u << 31)
        return -ENOMEM;
    slot = calloc(slots, sizeof(*slot));
    if (!slot)
        return -ENOMEM;
    for (u32 i = 0; i < hash->slots; i++)
        if (hash->slot[i].index)
            put(slot, (u32)slots, hash->slot[i]);
    free(hash->slot);
    hash->slot = slot;
    hash->slots = (u32)slots;
    return 0;
}

int
hash_add(struct hash *hash, u32 value, u32 index)
{
    if (index >= HASH_NONE - 1)
        return -ENOMEM;
    if (hash->count >= hash->slots / 2 && grow(hash) < 0)
        return -ENOMEM;
    put(hash->slot, hash->slots, (struct hash_slot){ value, index + 1 });
    hash->count++;
    return 0;
}

void
hash_free(struct hash *hash)
{
    free(hash->slot);
    memset(hash, 0, sizeof(*hash));
}

u64
hash_bytes(u64 seed, const void *data, size_t len)
{
    const unsigned char *p = data;
    u64 h = hash_mix(seed + len);

    for (; len >= 8; len -= 8, p += 8) {
        u64 word;

        memcpy(&word, p, 8);
        h = hash_mix(h ^ word);
    }
    if (len) {
        u64 word = 0;

        memcpy(&word, p, len);
        h = hash_mix(h ^ word);
    }
    return h;
}

u64
hash_str(u64 seed, const char *s)
{
    return hash_bytes(seed, s, strlen(s));
}
