/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpigather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"

enum {
    BUCKETS = 1 << 12,
    ENTRIES_MAX = 1 << 20, /* kept for incomplete calls */
};

/* A collective call that some ranks have not entered yet. */
struct call {
    struct call *next;          /* in its bucket */
    struct call *newer, *older; /* by their first entries */
    struct mpi_gather_key key;
    u32 kind, call, root; /* as in mpi_collective */
    bool inter;
    bool apart;
    u32 size;
    struct mpi_entry *entry;
    u32 count, room;
};

struct mpi_gather {
    const struct mpi_match_sink *sink;
    struct call *bucket[BUCKETS];
    struct call *oldest, *newest;
    u64 entries;
    u64 torn; /* incomplete calls */
};

const struct mpi_entry *
mpigather_root(const struct mpi_collective *k)
{
    for (u32 i = 0; i < k->count; i++)
        if (k->root && k->entry[i].rank == k->root - 1)
            return &k->entry[i];
    return NULL;
}

struct mpi_gather *
mpigather_open(const struct mpi_match_sink *sink)
{
    struct mpi_gather *g = calloc(1, sizeof(*g));

    if (g)
        *g = (struct mpi_gather){ .sink = sink };
    return g;
}

static struct call **
bucket_of(struct mpi_gather *g, const struct mpi_gather_key *key)
{
    u64 hash = hash_mix(key->comm ^ hash_mix((u64)key->world << 32 | key->seq));

    return &g->bucket[hash % BUCKETS];
}

static struct call *
find(struct mpi_gather *g, const struct mpi_gather_key *key)
{
    struct call *call = *bucket_of(g, key);

    while (call && (call->key.comm != key->comm || call->key.seq != key->seq ||
                    call->key.world != key->world))
        call = call->next;
    return call;
}

static struct call *
add_call(struct mpi_gather *g, const struct mpi_gather_key *key)
{
    struct call *call = calloc(1, sizeof(*call)), **bucket = bucket_of(g, key);

    if (!call)
        return NULL;
    call->key = *key;
    call->next = *bucket;
    *bucket = call;
    call->older = g->newest;
    *(g->newest ? &g->newest->newer : &g->oldest) = call;
    g->newest = call;
    return call;
}

/* Pass a call to the sink, and free it. */
static void
finish(struct mpi_gather *g, struct call *call)
{
    const struct mpi_collective whole = { call->key.comm,  call->kind,  call->call,
                                          call->root,      call->inter, call->count,
                                          call->entry };
    struct call **link = bucket_of(g, &call->key);

    g->sink->collective(g->sink->context, &whole);
    g->torn += call->count < call->size && !call->apart;
    g->entries -= call->count;
    while (*link != call)
        link = &(*link)->next;
    *link = call->next;
    *(call->older ? &call->older->newer : &g->oldest) = call->newer;
    *(call->newer ? &call->newer->older : &g->newest) = call->older;
    free(call->entry);
    free(call);
}

int
mpigather_add(struct mpi_gather *g, const struct mpi_gather_key *key, u32 size,
              bool apart, const struct mpi_collective *what,
              const struct mpi_entry *entry)
{
    struct call *call = find(g, key);

    if (!call)
        call = add_call(g, key);
    if (!call || array_room(&call->entry, &call->room, call->count + 1,
                            sizeof(*call->entry)) < 0)
        return -ENOMEM;
    call->entry[call->count++] = *entry;
    call->kind = what->kind;
    call->call = what->call;
    call->inter = what->inter;
    call->apart = apart;
    call->size = size;
    if (what->root)
        call->root = what->root;
    g->entries++;
    if (call->count >= size)
        finish(g, call);
    else if (g->entries > ENTRIES_MAX)
        finish(g, g->oldest);
    return 0;
}

u64
mpigather_close(struct mpi_gather *g)
{
    u64 torn;

    if (!g)
        return 0;
    while (g->oldest)
        finish(g, g->oldest);
    torn = g->torn;
    free(g);
    return torn;
}
