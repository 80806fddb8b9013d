/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/indexkeys.h"

#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

struct wanted {
    const struct index_keys *keys;
    const struct index_key *key;
};

static bool
is_same(const struct index_key *a, const struct index_key *b)
{
    return a->known == b->known && !memcmp(a->v, b->v, sizeof(a->v));
}

static bool
same_key(const void *context, u32 index)
{
    const struct wanted *wanted = context;

    return is_same(&wanted->keys->row[index].key, wanted->key);
}

struct values *
indexkeys_at(struct index_keys *keys, const struct index_key *key)
{
    struct wanted wanted = { keys, key };
    u64 h = key->known;
    u32 at;

    if (keys->last < keys->count && is_same(&keys->row[keys->last].key, key))
        return &keys->row[keys->last].value;
    for (u32 i = 0; i < INDEX_KEYS; i++)
        h = hash_mix(h ^ (u64)key->v[i]);
    at = hash_find(&keys->hash, (u32)h, same_key, &wanted);
    if (at == HASH_NONE) {
        if (array_room(&keys->row, &keys->room, keys->count + 1,
                       sizeof(*keys->row)) < 0 ||
            hash_add(&keys->hash, (u32)h, keys->count) < 0)
            return NULL;
        at = keys->count++;
        keys->row[at] = (struct index_row){ .key = *key };
    }
    keys->last = at;
    return &keys->row[at].value;
}

void
indexkeys_free(struct index_keys *keys)
{
    free(keys->row);
    hash_free(&keys->hash);
    memset(keys, 0, sizeof(*keys));
}
