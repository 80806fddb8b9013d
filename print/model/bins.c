/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/bins.h"

#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

struct search {
    const struct bins *bins;
    const struct bin_key *key;
};

static inline bool
same_key(const struct bin_key *a, const struct bin_key *b)
{
    return a->object == b->object && a->node == b->node && a->other == b->other &&
           a->what == b->what && a->thread == b->thread;
}

static bool
same(const void *context, u32 index)
{
    const struct search *search = context;

    return same_key(&search->bins->bin[index].key, search->key);
}

static inline u32
hash_key(const struct bin_key *key)
{
    u64 v = key->object * 0x9e3779b97f4a7c15;

    v ^= ((u64)key->node << 32 | key->other) * 0xc2b2ae3d27d4eb4f;
    v ^= ((u64)key->thread << 32 | key->what) * 0x165667b19e3779f9;
    return (u32)hash_mix(v);
}

static struct bin *find(struct bins *bins, const struct bin_key *key, u32 hash);

static struct bin *
rest(struct bins *bins, const struct bin_key *key)
{
    struct bin_key all = { key->object, BINS_REST, BINS_REST, key->what, BINS_REST };

    return find(bins, &all, hash_key(&all));
}

static struct bin *
find(struct bins *bins, const struct bin_key *key, u32 hash)
{
    struct search search = { bins, key };
    u32 at = hash_find(&bins->hash, hash, same, &search);

    if (at != HASH_NONE)
        return &bins->bin[at];
    if (bins->limit && bins->count >= bins->limit && key->node != BINS_REST)
        return rest(bins, key);
    if (array_room(&bins->bin, &bins->room, bins->count + 1, sizeof(*bins->bin)) < 0 ||
        hash_add(&bins->hash, hash, bins->count) < 0) {
        bins->no_memory = true;
        return NULL;
    }
    bins->bin[bins->count] = (struct bin){ .key = *key, .first = UINT64_MAX };
    return &bins->bin[bins->count++];
}

struct bin *
bins_of(struct bins *bins, const struct bin_key *key)
{
    u32 hash = hash_key(key), *cached = &bins->cache[hash % BINS_CACHE];
    struct bin *bin;

    if (ER_LIKELY(*cached && same_key(&bins->bin[*cached - 1].key, key)))
        return &bins->bin[*cached - 1];
    bin = find(bins, key, hash);
    if (bin && same_key(&bin->key, key))
        *cached = (u32)(bin - bins->bin) + 1;
    return bin;
}

void
bins_add(struct bins *bins, const struct bin_key *key, u64 bytes, u64 time, u64 at)
{
    bins_add_part(bins, key, 1, bytes, time, at);
}

void
bins_add_part(struct bins *bins, const struct bin_key *key, u64 count, u64 bytes,
              u64 time, u64 at)
{
    struct bin *bin = bins_of(bins, key);

    if (ER_UNLIKELY(!bin))
        return;
    bin->count += count;
    bin->bytes += bytes;
    bin->time += time;
    if (time > bin->most)
        bin->most = time;
    if (at < bin->first)
        bin->first = at;
}

void
bins_merge(struct bins *to, const struct bins *from)
{
    to->no_memory |= from->no_memory;
    for (u32 i = 0; i < from->count; i++) {
        const struct bin *more = &from->bin[i];
        struct bin *bin = bins_of(to, &more->key);

        if (!bin)
            return;
        bin->count += more->count;
        bin->bytes += more->bytes;
        bin->time += more->time;
        if (more->most > bin->most)
            bin->most = more->most;
        if (more->first < bin->first)
            bin->first = more->first;
    }
}

static int
compare(const void *a, const void *b)
{
    const struct bin_key *x = &((const struct bin *)a)->key;
    const struct bin_key *y = &((const struct bin *)b)->key;

    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

void
bins_sort(struct bins *bins)
{
    if (bins->count)
        qsort(bins->bin, bins->count, sizeof(*bins->bin), compare);
    hash_free(&bins->hash);
    memset(bins->cache, 0, sizeof(bins->cache));
}

void
bins_free(struct bins *bins)
{
    free(bins->bin);
    hash_free(&bins->hash);
    memset(bins, 0, sizeof(*bins));
}
