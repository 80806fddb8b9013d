/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an experiment's heap trace by the contract alone, for tests of the collector
 * that should not depend on er_print.
 *
 *   tell-heap EXPERIMENT [list | sizes FROM TO]
 *
 * Prints "key value" lines: calls, bytes, what is live at the end, the peak, mappings,
 * and what cannot be: ends without a beginning, beginnings on top of a live block, bad
 * chunks. list: every record in time order, with the code address of its leaf. sizes:
 * "size N allocs N frees N" for the blocks of each size in that range.
 */
/* build: -O1 -g -I@S@/../.. */
/* link: @S@/../../share/chunk.c @S@/../../share/record.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/chunk.h"
#include "share/record.h"
#include "tell.h"

/* One record; an end and a beginning for realloc and remap. */
struct event {
    u64 time;
    u64 order; /* in the files: ends first, else as written */
    u64 addr;
    u64 old; /* of realloc */
    u64 size;
    u32 kind;
    u32 node;
    u32 thread;
    u32 what; /* map kind */
};

static struct event *events;
static u64 count, capacity, bad, chunks, chunk_dropped, committed_bytes, by_kind[8];

static void
add(const struct event *e)
{
    if (count == capacity) {
        capacity = capacity ? capacity * 2 : 65536;
        events = realloc(events, capacity * sizeof(*events));
        if (!events)
            exit(2);
    }
    events[count] = *e;
    events[count].order = count;
    count++;
}

struct state {
    struct codec codec;
    u64 map_kind, unmap_kind; /* of the last such record */
};

static int
get_rep(const unsigned char **p, const unsigned char *end, u64 *last)
{
    u64 v;

    if (get_varint(p, end, &v) < 0)
        return -1;
    if (v)
        *last = v - 1;
    return 0;
}

/* The fields after the head. e->time is set; *took what an end came earlier. */
static int
get_fields(struct state *s, const unsigned char **p, const unsigned char *end,
           struct event *e, u64 *took, u64 *old_size)
{
    struct codec *c = &s->codec;

    switch (e->kind) {
    case KIND_alloc:
        return get_addr(c, p, end, &e->addr) < 0 || get_varint(p, end, &e->size) < 0 ||
               get_node(c, p, end, &e->node) < 0;
    case KIND_free:
        return get_addr(c, p, end, &e->addr) < 0;
    case KIND_realloc:
        return get_varint(p, end, took) < 0 || get_addr(c, p, end, &e->old) < 0 ||
               get_addr(c, p, end, &e->addr) < 0 || get_varint(p, end, &e->size) < 0 ||
               get_node(c, p, end, &e->node) < 0;
    case KIND_map:
        if (get_addr(c, p, end, &e->addr) < 0 || get_varint(p, end, &e->size) < 0 ||
            get_rep(p, end, &s->map_kind) < 0)
            return -1;
        e->what = (u32)s->map_kind;
        return get_node(c, p, end, &e->node) < 0;
    case KIND_unmap:
        if (get_addr(c, p, end, &e->addr) < 0 || get_varint(p, end, &e->size) < 0 ||
            get_rep(p, end, &s->unmap_kind) < 0)
            return -1;
        e->what = (u32)s->unmap_kind;
        return 0;
    case KIND_remap:
        return get_varint(p, end, took) < 0 || get_addr(c, p, end, &e->old) < 0 ||
               get_varint(p, end, old_size) < 0 || get_addr(c, p, end, &e->addr) < 0 ||
               get_varint(p, end, &e->size) < 0 || get_node(c, p, end, &e->node) < 0;
    default:
        return -1;
    }
}

static void
read_chunk(const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *p = (const unsigned char *)chunk + sizeof(*chunk);
    const unsigned char *end = (const unsigned char *)chunk + committed;
    struct state s = { .map_kind = 0 };

    codec_start(&s.codec, chunk->tsc0 >> SHIFT_heaptrace, chunk->prev_addr);
    chunks++;
    chunk_dropped += chunk->dropped;
    committed_bytes += committed;
    if (!chunk_data_ok(chunk, committed))
        bad++;
    while (p < end) {
        struct event e = { .thread = chunk->thread_id };
        u64 took = 0, old_size = 0;

        if (get_head(&s.codec, &p, end, &e.kind, &e.time) < 0 ||
            get_fields(&s, &p, end, &e, &took, &old_size)) {
            bad++;
            return;
        }
        by_kind[e.kind & 7]++;
        if (e.kind == KIND_realloc) {
            struct event old = e;

            old.kind = KIND_free;
            old.time -= took;
            old.addr = e.old;
            add(&old);
        }
        add(&e);
    }
}

static int
is_end(const struct event *e)
{
    return e->kind == KIND_free || e->kind == KIND_unmap;
}

static int
by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->thread != y->thread && is_end(x) != is_end(y))
        return is_end(x) ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* Live blocks: open addressing by address. */
struct slot {
    u64 addr; /* 0 = empty, 1 = was used */
    u64 size;
};

static struct slot *slots;
static u64 nslots;

static struct slot *
find(u64 addr, int insert)
{
    u64 at = addr * 0x9e3779b97f4a7c15ull >> 20;
    struct slot *reuse = NULL;

    for (;; at++) {
        struct slot *s = &slots[at & (nslots - 1)];

        if (s->addr == addr)
            return s;
        if (s->addr == 1 && !reuse)
            reuse = s;
        if (s->addr == 0)
            return insert ? (reuse ? reuse : s) : NULL;
    }
}

static u64 live, live_bytes, peak, bytes, refused, unknown, doubled, begun;

/* Blocks of sizes within [from, from + SIZES_MAX). */
enum { SIZES_MAX = 64 };

static u64 from, size_begun[SIZES_MAX], size_ended[SIZES_MAX];

/*
 * A processor may read the time of an end before it has the address of the block: then
 * what another thread allocated that moment seems to end before it begins.
 */
enum { EARLY = 8, EARLY_TICKS = 4096 >> SHIFT_heaptrace };

static struct event early[EARLY];

static int
ended_early(const struct event *e)
{
    for (int i = 0; i < EARLY; i++) {
        if (early[i].addr != e->addr || early[i].thread == e->thread ||
            e->time - early[i].time > EARLY_TICKS)
            continue;
        early[i].addr = 0;
        unknown--;
        return 1;
    }
    return 0;
}

static void
begin(const struct event *e)
{
    struct slot *s;

    begun++;
    bytes += e->size;
    if (e->size - from < SIZES_MAX)
        size_begun[e->size - from]++;
    s = find(e->addr, 0);
    if (!s && ended_early(e))
        return;
    s = find(e->addr, 1);
    if (s->addr == e->addr) {
        doubled++;
        live_bytes -= s->size;
        live--;
    }
    s->addr = e->addr;
    s->size = e->size;
    live++;
    live_bytes += e->size;
    if (live_bytes > peak)
        peak = live_bytes;
}

static void
end_block(const struct event *e)
{
    struct slot *s = find(e->addr, 0);

    if (!s) {
        early[unknown++ % EARLY] = *e;
        return;
    }
    live--;
    live_bytes -= s->size;
    if (s->size - from < SIZES_MAX)
        size_ended[s->size - from]++;
    s->addr = 1;
}

static void
play(void)
{
    for (nslots = 1024; nslots < count * 2;)
        nslots *= 2;
    slots = calloc(nslots, sizeof(*slots));
    if (!slots)
        exit(2);
    for (u64 i = 0; i < count; i++) {
        const struct event *e = &events[i];

        if (e->kind == KIND_alloc && !e->addr)
            refused++;
        else if (e->kind == KIND_alloc || e->kind == KIND_realloc)
            begin(e);
        else if (e->kind == KIND_free)
            end_block(e);
    }
}

static void
list(const char *experiment)
{
    static const char *const names[] = { "?",   "alloc", "free",  "realloc",
                                         "map", "unmap", "remap", "?" };
    u64 size;
    const unsigned char *rows = map_file(experiment, "frameinfo", &size);

    for (u64 i = 0; i < count; i++) {
        const struct event *e = &events[i];
        u64 pc = 0;

        if (e->node && ((u64)e->node + 1) * ER_NODE_BYTES <= size)
            memcpy(&pc, rows + (u64)e->node * ER_NODE_BYTES + 8, 6);
        printf("%s %llx %llu thread %u node %u pc %llx what %u\n", names[e->kind],
               (unsigned long long)e->addr, (unsigned long long)e->size, e->thread,
               e->node, (unsigned long long)pc, e->what);
    }
}

static void
tell(const char *key, u64 value)
{
    printf("%s %llu\n", key, (unsigned long long)value);
}

static void
tell_sizes(u64 to)
{
    for (u64 i = 0; i < SIZES_MAX && from + i <= to; i++)
        if (size_begun[i])
            printf("size %llu allocs %llu frees %llu\n", (unsigned long long)(from + i),
                   (unsigned long long)size_begun[i],
                   (unsigned long long)size_ended[i]);
    printf("bad %llu\n", (unsigned long long)bad);
}

static void
tell_threads(const char *experiment)
{
    u64 size, seen = 0, dropped = 0, threads = 0;
    const struct rec_thread *row = (const void *)map_file(experiment, "threads", &size);

    for (u64 i = 1; i < size / sizeof(*row); i++) {
        if (!row[i].id)
            continue;
        threads++;
        seen += row[i].heap_seen;
        dropped += row[i].heap_dropped;
    }
    tell("threads", threads);
    tell("seen", seen);
    tell("dropped", dropped);
}

int
main(int argc, char **argv)
{
    struct chunk_cursor cursor = { .file = FILE_heaptrace };
    const struct er_chunk *chunk;
    u64 where;
    u32 committed;
    int ret;

    if (argc < 2)
        return 2;
    cursor.data = map_file(argv[1], "heaptrace", &cursor.size);
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) != 0) {
        if (ret < 0)
            bad++;
        else
            read_chunk(chunk, committed);
    }
    qsort(events, count, sizeof(*events), by_time);
    if (argc == 3) {
        list(argv[1]);
        return 0;
    }
    if (argc > 3)
        from = strtoull(argv[3], NULL, 10);
    play();
    if (argc > 4) {
        tell_sizes(strtoull(argv[4], NULL, 10));
        return 0;
    }
    tell("allocs", by_kind[KIND_alloc] - refused);
    tell("frees", by_kind[KIND_free]);
    tell("reallocs", by_kind[KIND_realloc]);
    tell("maps", by_kind[KIND_map]);
    tell("unmaps", by_kind[KIND_unmap]);
    tell("remaps", by_kind[KIND_remap]);
    tell("refused", refused);
    tell("records", by_kind[KIND_alloc] + by_kind[KIND_free] + by_kind[KIND_realloc] +
                        by_kind[KIND_map] + by_kind[KIND_unmap] + by_kind[KIND_remap]);
    tell("bytes", bytes);
    tell("live", live);
    tell("live_bytes", live_bytes);
    tell("peak", peak);
    tell("unknown", unknown);
    tell("doubled", doubled);
    tell("bad", bad);
    tell("chunks", chunks);
    tell("chunk_dropped", chunk_dropped);
    tell("file_bytes", committed_bytes);
    tell_threads(argv[1]);
    return 0;
}
