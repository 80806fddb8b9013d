/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/region/region_handle.h"

#include <string.h>

#include "collector/region/region.h"
#include "collector/sig/sys.h"

enum {
    CHUNK_BYTES = 1 << 16,
    BUCKETS = 1024,
    NAME_MAX_BYTES = 1024,
};

/* A handle of a domain or of a string, and its link in a bucket's list. */
struct handle {
    struct handle *next;
    u64 hash;
    union {
        struct itt_domain domain;
        struct itt_string string;
    };
    char name[];
};

struct chunk {
    u32 used;
};

static struct chunk *current;
static ER_LARGE struct handle *domains[BUCKETS], *strings[BUCKETS];

static struct chunk *
new_chunk(struct chunk *old)
{
    struct chunk *chunk = sys_map(CHUNK_BYTES);

    if (!chunk)
        return NULL;
    chunk->used = 64;
    if (__atomic_compare_exchange_n(&current, &old, chunk, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return chunk;
    sys_unmap(chunk, CHUNK_BYTES);
    return old;
}

/* Get zeroed memory, which is never freed. NULL = there is none. */
static void *
allocate(u32 bytes)
{
    struct chunk *chunk = __atomic_load_n(&current, __ATOMIC_ACQUIRE);

    bytes = (bytes + 15) & ~15u;
    for (;;) {
        u32 at = chunk ? __atomic_load_n(&chunk->used, __ATOMIC_RELAXED) : CHUNK_BYTES;

        if (at + bytes > CHUNK_BYTES) {
            chunk = new_chunk(chunk);
            if (!chunk)
                return NULL;
        } else if (__atomic_compare_exchange_n(&chunk->used, &at, at + bytes, 0,
                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            return (char *)chunk + at;
        }
    }
}

static struct handle *
find(struct handle *at, const struct handle *end, u64 hash, const char *name,
     size_t len)
{
    for (; at != end; at = at->next)
        if (at->hash == hash && !strncmp(at->name, name, len) && !at->name[len])
            return at;
    return NULL;
}

/*
 * Get the handle of that name, or make it. Two threads that ask at once get the same
 * one.
 */
static struct handle *
get(struct handle **table, const char *text)
{
    size_t len = strnlen(text, NAME_MAX_BYTES - 1);
    struct region_name name;
    struct handle **bucket, *first, *seen = NULL, *new = NULL, *found;

    region_name_cut(&name, text, len);
    bucket = &table[name.hash % BUCKETS];
    first = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
    for (;;) {
        found = find(first, seen, name.hash, text, len);
        if (found)
            return found;
        seen = first;
        if (!new)
            new = allocate((u32)(sizeof(*new) + len + 1));
        if (!new)
            return NULL;
        memcpy(new->name, text, len);
        new->hash = name.hash;
        new->next = first;
        if (table == domains) {
            new->domain.flags = 1;
            new->domain.name = new->name;
        } else {
            new->string.text = new->name;
        }
        if (__atomic_compare_exchange_n(bucket, &first, new, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return new;
    }
}

struct itt_domain *
region_handle_domain(const char *name)
{
    struct handle *handle = name ? get(domains, name) : NULL;

    return handle ? &handle->domain : NULL;
}

struct itt_string *
region_handle_string(const char *text)
{
    struct handle *handle = text ? get(strings, text) : NULL;

    return handle ? &handle->string : NULL;
}
