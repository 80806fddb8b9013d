/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapscan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/model/heap/blocks.h"
#include "print/model/heap/heapkept.h"
#include "print/model/heap/heapleft.h"
#include "print/model/heap/heappart.h"
#include "print/model/heapread.h"
#include "print/model/heap/heapselect.h"
#include "print/model/heap/heapsteps.h"
#include "print/model/ranges.h"
#include "share/record.h"

enum {
    OWNER_NONE = 0,            /* of what was not selected */
    CACHE = 4096,              /* entries of the owner cache; a power of two */
    AHEAD = 8,                 /* events whose blocks are prefetched */
    BEFORE = 1 << 24,          /* how much earlier than the first event others may be */
    WORTH_A_THREAD = 1 << 20,  /* bytes of a file from which on a second thread pays */
    EARLY = 8,                 /* unmatched ends that are remembered; a power of two */
    RACE = 4096 >> SHIFT_heaptrace, /* by how much an end may seem too early */
};

/* The last actions of a thread, by slot. */
struct thread {
    u64 last;     /* address of its last allocation, if not freed yet; 0 = none */
    u64 moved;    /* address of what its realloc or mremap is moving, 0 = nothing */
    u32 map_kind; /* kind of the mapping that it is remapping */
};

/* A free of a block that was not in the table (yet). */
struct early {
    u64 addr; /* 0 = none */
    u64 time;
    u32 slot;
};

/* A mapping, or what is left of it after parts were unmapped. */
struct mapping {
    u64 time;
    u64 addr;
    u32 owner;
    u32 pieces; /* 0 = the number is free */
    u32 kind;   /* enum er_map_kind */
    u32 class;
    u32 free; /* the next free number + 1 */
};

struct scan {
    struct heap_scan out;
    const struct bound_filter *filter; /* NULL = all blocks count */
    const struct heap_keys *keys;      /* NULL = by stack */
    struct heapsteps *steps;           /* of keys; NULL = nobody asks */
    const struct heapleft *left;       /* NULL = nobody asks */
    struct heap_reader reader;
    struct blocks blocks;
    struct ranges ranges;
    struct mapping *mapping;
    u32 mappings;
    u32 mapping_room;
    u32 free_mapping; /* + 1 */
    struct thread *thread;
    struct hash owners;
    struct early early[EARLY];
    u32 earlies; /* how many were put into early[] so far */
    u32 cache[CACHE];
    u64 live; /* bytes held now */
    u64 peak; /* how many times a new peak was reached */
    u64 base; /* times of blocks count from here */
    u64 now;
    u64 page;
    bool started;
    bool no_memory;
};

struct owner_key {
    const struct scan *scan;
    u32 node;
    u32 slot;
};

static bool
same_owner(const void *context, u32 index)
{
    const struct owner_key *key = context;
    const struct heap_owner *owner = &key->scan->out.owner[index];

    return owner->node == key->node && owner->slot == key->slot;
}

static u32
new_owner(struct scan *s, u32 node, u32 slot)
{
    struct heap_scan *out = &s->out;

    if (array_room_zero(&out->owner, &out->room, out->count + 1,
                        sizeof(*out->owner)) < 0) {
        s->no_memory = true;
        return OWNER_NONE;
    }
    out->owner[out->count] = (struct heap_owner){ .node = node, .slot = slot };
    return out->count++;
}

static u32
find_owner(struct scan *s, u32 node, u32 slot)
{
    struct owner_key key = { s, node, slot };
    u32 value = (u32)hash_mix((u64)slot << 32 | node);
    u32 at = hash_find(&s->owners, value, same_owner, &key);

    if (at != HASH_NONE)
        return at;
    at = new_owner(s, node, slot);
    if (at != OWNER_NONE && hash_add(&s->owners, value, at) < 0)
        s->no_memory = true;
    return at;
}

static inline u64
since_base(const struct scan *s, u64 time)
{
    return time > s->base ? time - s->base : 0;
}

static struct heap_block
block_of(const struct scan *s, const struct event *event, u32 slot, bool mapping)
{
    const struct threads *threads = s->reader.threads;

    return (struct heap_block){
        .time = s->now,
        .addr = event->addr,
        .size = event->size,
        .old = s->thread[slot].moved,
        .node = event->node,
        .thread = slot ? threads->row[slot - 1].id : 0,
        .tid = slot ? threads->row[slot - 1].tid : 0,
        .mapping = mapping,
        .leaked = s->left ? heapleft_find(s->left, event->addr, since_base(s, s->now))
                          : 0,
    };
}

static bool
selected(const struct scan *s, const struct event *event, u32 slot, bool mapping)
{
    struct heap_block block = block_of(s, event, slot, mapping);

    return !s->filter || heapselect_accepts(s->filter, &block);
}

static inline u32
owner_of(struct scan *s, const struct event *event, u32 slot, bool mapping)
{
    u32 node = event->node, *cached;
    const struct heap_owner *owner;

    if (ER_UNLIKELY(s->filter != NULL) && !selected(s, event, slot, mapping))
        return OWNER_NONE;
    if (ER_UNLIKELY(s->keys != NULL)) {
        struct heap_block block = block_of(s, event, slot, mapping);

        node = s->keys->key(s->keys->context, &block);
    }
    cached = &s->cache[(node * 0x9e3779b1u ^ slot * 0x85ebca6bu) >> 20];
    owner = &s->out.owner[*cached];
    if (ER_UNLIKELY(*cached == OWNER_NONE || owner->node != node ||
                    owner->slot != slot))
        *cached = find_owner(s, node, slot);
    return *cached;
}

static inline void
count_begin(struct scan *s, u32 owner, u32 class, u64 size)
{
    if (ER_LIKELY(owner != OWNER_NONE))
        heappart_begin(&s->out.class[class], s->peak, size);
    heappart_begin(&s->out.owner[owner].part, s->peak, size);
    heapsteps_begin(s->steps, s->out.owner[owner].node, size);
    s->live += size;
    if (s->live > s->out.curve.most) {
        s->out.curve.most = s->live;
        heapsteps_top(s->steps);
    }
    if (s->live > s->out.process.peak_bytes) {
        s->out.process.peak_bytes = s->live;
        s->out.process.peak_time = s->now;
        s->peak++;
    }
}

static inline void
count_end(struct scan *s, u32 owner, u32 class, u64 size, u64 begun)
{
    u64 now = since_base(s, s->now), life = now > begun ? now - begun : 0;

    if (ER_LIKELY(owner != OWNER_NONE))
        heappart_end(&s->out.class[class], s->peak, size, life);
    heappart_end(&s->out.owner[owner].part, s->peak, size, life);
    heapsteps_end(s->steps, s->out.owner[owner].node, size);
    s->live -= size;
}

static void
keep_early(struct scan *s, const struct event *event, u32 slot)
{
    s->out.process.strange++;
    s->early[s->earlies++ % EARLY] = (struct early){ event->addr, s->now, slot };
}

/*
 * Did another thread free this block, at a time that seems to be before the allocation?
 * If so, forget that free. It seems so because the processor may read the clock for the
 * free before the block's address has reached it.
 */
static bool
ended_early(struct scan *s, const struct event *event, u32 slot)
{
    for (u32 i = 0; i < EARLY; i++) {
        struct early *early = &s->early[i];

        if (early->addr != event->addr || early->slot == slot ||
            s->now - early->time > RACE)
            continue;
        early->addr = 0;
        s->out.process.strange--;
        return true;
    }
    return false;
}

static void
begin_block(struct scan *s, const struct event *event, u32 slot)
{
    struct block *old = blocks_find(&s->blocks, event->addr);
    struct block_info info = {
        .size = blocks_clamp(event->size),
        .time = since_base(s, s->now),
        .owner = owner_of(s, event, slot, false),
    };

    if (ER_UNLIKELY(s->earlies) && !old && ended_early(s, event, slot)) {
        count_begin(s, info.owner, heapsums_class(info.size), info.size);
        count_end(s, info.owner, heapsums_class(info.size), info.size, info.time);
        return;
    }
    s->thread[slot].last = event->addr;
    if (ER_UNLIKELY(old)) {
        /*
         * The address holds a block already: its end was not recorded, or the record
         * comes later; see end_block().
         */
        struct block_info ended = blocks_info(old);

        count_end(s, ended.owner, heapsums_class(ended.size), ended.size, ended.time);
        s->out.process.unseen++;
        blocks_fill(old, event->addr, &info);
    } else if (blocks_add(&s->blocks, event->addr, &info) < 0) {
        s->no_memory = true;
        return;
    }
    count_begin(s, info.owner, heapsums_class(info.size), info.size);
}

static void
end_block(struct scan *s, const struct event *event, u32 slot, bool moved)
{
    struct block *block = blocks_find(&s->blocks, event->addr);
    struct block_info info;
    struct heap_owner *owner;
    u32 class;

    if (ER_UNLIKELY(!block)) {
        if (event->addr)
            keep_early(s, event, slot);
        return;
    }
    info = blocks_info(block);
    /* Ignore an end that is older than the block: it is that of the block before it. */
    if (ER_UNLIKELY(s->out.process.unseen && since_base(s, s->now) < info.time)) {
        s->out.process.unseen--;
        return;
    }
    class = heapsums_class(info.size);
    owner = &s->out.owner[info.owner];
    if (s->thread[owner->slot].last == event->addr) {
        s->thread[owner->slot].last = 0;
        if (!moved && info.owner != OWNER_NONE) {
            owner->part.sums.temporary++;
            s->out.class[class].sums.temporary++;
            heapsteps_temporary(s->steps, owner->node);
        }
    }
    count_end(s, info.owner, class, info.size, info.time);
    blocks_remove(&s->blocks, block);
}

static bool
is_heap(u32 map_kind)
{
    return map_kind == MAP_KIND_ANONYMOUS || map_kind == MAP_KIND_BREAK;
}

/* Called by ranges: a mapping lost bytes, and consists of `more` more ranges. */
static void
on_pieces(void *context, u32 number, u64 bytes, int more)
{
    struct scan *s = context;
    struct mapping *m = &s->mapping[number];
    struct heap_part *parts[] = { &s->out.owner[m->owner].part,
                                  &s->out.class[m->class] };

    m->pieces += (u32)more;
    if (m->pieces == 0) {
        m->free = s->free_mapping;
        s->free_mapping = number + 1;
    }
    if (!is_heap(m->kind) || !bytes)
        return;
    s->live -= bytes;
    heapsteps_end(s->steps, s->out.owner[m->owner].node, bytes);
    for (u32 i = 0; i < 1 + (m->owner != OWNER_NONE); i++) {
        u64 now = since_base(s, s->now);

        heappart_save_peak(parts[i], s->peak);
        if (m->pieces)
            parts[i]->sums.leak_bytes -= bytes;
        else
            heappart_end(parts[i], s->peak, bytes, now > m->time ? now - m->time : 0);
    }
}

static u32
new_mapping(struct scan *s)
{
    u32 number = s->free_mapping - 1;

    if (s->free_mapping) {
        s->free_mapping = s->mapping[number].free;
        return number;
    }
    if (array_room(&s->mapping, &s->mapping_room, s->mappings + 1,
                   sizeof(*s->mapping)) < 0) {
        s->no_memory = true;
        return UINT32_MAX;
    }
    return s->mappings++;
}

/* The end address of `size` bytes at addr, rounded up to a multiple of `page`. */
static u64
end_of(u64 addr, u64 size, u64 page)
{
    u64 end = addr + size < addr ? UINT64_MAX : addr + size;

    return end > UINT64_MAX - page ? UINT64_MAX : (end + page - 1) & ~(page - 1);
}

static void
cut(struct scan *s, u64 addr, u64 size, u64 page)
{
    if (ranges_cut(&s->ranges, addr & ~(page - 1), end_of(addr, size, page)) < 0)
        s->no_memory = true;
}

static void
count_map(struct heap_process *process, u32 kind, u64 size)
{
    process->file_maps += kind == MAP_KIND_FILE;
    process->file_bytes += kind == MAP_KIND_FILE ? size : 0;
    process->reserved_maps += kind == MAP_KIND_NO_ACCESS;
    process->reserved_bytes += kind == MAP_KIND_NO_ACCESS ? size : 0;
}

static void
begin_map(struct scan *s, const struct event *event, u32 slot, u32 kind)
{
    u64 size = blocks_clamp(event->size), end = end_of(event->addr, size, 1);
    u32 number;

    size = end - event->addr;
    cut(s, event->addr, size, kind == MAP_KIND_BREAK ? 1 : s->page);
    number = size ? new_mapping(s) : UINT32_MAX;
    if (number == UINT32_MAX)
        return;
    s->mapping[number] = (struct mapping){
        .time = since_base(s, s->now),
        .addr = event->addr,
        .owner = owner_of(s, event, slot, true),
        .kind = kind,
        .class = heapsums_class(size),
    };
    if (is_heap(kind))
        count_begin(s, s->mapping[number].owner, s->mapping[number].class, size);
    else
        count_map(&s->out.process, kind, size);
    if (ranges_add(&s->ranges, event->addr, end, number) < 0)
        s->no_memory = true;
}

static void
begin_remap(struct scan *s, const struct event *event, u32 slot)
{
    const struct range *range = ranges_find(&s->ranges, event->addr);

    s->thread[slot].map_kind =
        range ? s->mapping[range->mapping].kind : MAP_KIND_ANONYMOUS;
    if (event->size)
        cut(s, event->addr, event->size, s->page);
}

static void
on_map_event(struct scan *s, const struct event *event, u32 slot)
{
    u32 kind = heap_map_kind(event->tag);

    switch (heap_what(event->tag)) {
    case HEAP_MAP:
        begin_map(s, event, slot, kind);
        break;
    case HEAP_UNMAP:
        cut(s, event->addr, event->size, kind == MAP_KIND_BREAK ? 1 : s->page);
        break;
    case HEAP_REMAP_END:
        begin_remap(s, event, slot);
        break;
    case HEAP_REMAP:
        begin_map(s, event, slot, s->thread[slot].map_kind);
        break;
    case HEAP_REFUSED:
        s->out.process.refused += selected(s, event, slot, false);
        break;
    default:
        break;
    }
}

static void
start(struct scan *s, u64 time)
{
    s->started = true;
    s->base = time > BEFORE ? time - BEFORE : 0;
    s->out.first = s->out.last = time;
}

static void
on_events(void *context, const struct event *event, u32 count)
{
    struct scan *s = context;

    if (!s->started)
        start(s, event->order >> 1);
    for (u32 i = 0; i < count && !s->no_memory; i++) {
        u32 slot = event[i].tag >> HEAP_SLOT_SHIFT;
        u32 what = heap_what(event[i].tag);
        bool moves = what == HEAP_MOVE || what == HEAP_REMAP_END;

        if (i + AHEAD < count)
            blocks_prefetch(&s->blocks, event[i + AHEAD].addr);
        s->now = event[i].order >> 1;
        if (ER_LIKELY(s->now > s->out.first))
            heapcurve_at(&s->out.curve, s->now - s->out.first, s->live);
        heapsteps_at(s->steps, s->out.curve.at);
        if (what == HEAP_BEGIN)
            begin_block(s, &event[i], slot);
        else if (what == HEAP_END || what == HEAP_MOVE)
            end_block(s, &event[i], slot, what == HEAP_MOVE);
        else
            on_map_event(s, &event[i], slot);
        s->thread[slot].moved = moves ? event[i].addr : 0;
    }
    if (s->now > s->out.last)
        s->out.last = s->now;
}

static void
finish(struct scan *s)
{
    for (u32 i = 0; i < s->out.count; i++)
        heappart_save_peak(&s->out.owner[i].part, s->peak);
    for (u32 i = 0; i < HEAP_CLASSES; i++)
        heappart_save_peak(&s->out.class[i], s->peak);
    heapcurve_end(&s->out.curve, s->live);
    heapsteps_at(s->steps, s->out.curve.at + 1);
    s->out.process.recorded = true;
}

static int
scan(struct scan *s, const struct record_source *source)
{
    struct merge_sink sink = { heapread_translate, &s->reader, on_events, s };
    bool beside = source->size >= WORTH_A_THREAD && sysconf(_SC_NPROCESSORS_ONLN) > 1;

    return merge_run(source, &sink, beside, NULL);
}

/* Collect the blocks and the pieces of mappings that are left at the end. */
static int
collect_left(struct scan *s, struct heapleft *left)
{
    int ret = heapleft_add_blocks(left, &s->blocks);

    for (const struct range *r = ranges_next(&s->ranges, 0); r && ret == 0;
         r = ranges_next(&s->ranges, r->hi)) {
        const struct mapping *m = &s->mapping[r->mapping];

        if (is_heap(m->kind))
            ret = heapleft_add(left, m->addr, blocks_clamp(m->time), r->hi - r->lo);
    }
    heapleft_sort(left);
    return ret;
}

/* One pass. left: from an earlier pass, or NULL; more: this pass fills it; or NULL. */
static int
run_once(struct experiment *e, const struct bound_filter *filter,
         const struct heap_keys *keys, const struct heapleft *left,
         struct heapleft *more, struct heap_scan *out)
{
    struct record_source source;
    struct scan *s;
    int ret;

    if (experiment_source(e, FILE_heaptrace, &source) < 0)
        return -ENOENT;
    s = calloc(1, sizeof(*s));
    if (!s)
        return -ENOMEM;
    s->filter = filter;
    s->keys = keys;
    s->steps = keys ? keys->steps : NULL;
    s->out.curve.bits = s->steps ? s->steps->bits : 0;
    s->left = left;
    s->page = heapread_page_size(e);
    s->ranges.pieces = on_pieces;
    s->ranges.context = s;
    s->thread = calloc((size_t)e->threads.count + 1, sizeof(*s->thread));
    heapread_open(&s->reader, &e->threads, source.schema);
    new_owner(s, UINT32_MAX, 0);
    ret = s->thread && !s->no_memory ? scan(s, &source) : -ENOMEM;
    if (s->no_memory)
        ret = -ENOMEM;
    finish(s);
    if (ret == 0)
        ret = heapkept_sum(e, &s->blocks, s->base, &s->out);
    if (ret == 0 && more)
        ret = collect_left(s, more);
    if (ret < 0)
        heapscan_free(&s->out);
    else
        *out = s->out;
    blocks_free(&s->blocks);
    ranges_free(&s->ranges);
    free(s->mapping);
    free(s->thread);
    hash_free(&s->owners);
    free(s);
    return ret;
}

int
heapscan_run(struct experiment *e, const struct bound_filter *filter,
             const struct heap_keys *keys, struct heap_scan *out)
{
    struct heapleft left = { 0 };
    struct heap_scan first = { 0 };
    int ret;

    if (!heapselect_needs_leaks(filter) && (!keys || !keys->leaks))
        return run_once(e, filter, keys, NULL, NULL, out);
    ret = run_once(e, NULL, NULL, NULL, &left, &first);
    if (ret == 0) {
        heapscan_free(&first);
        ret = run_once(e, filter, keys, &left, NULL, out);
    }
    heapleft_free(&left);
    return ret;
}

void
heapscan_free(struct heap_scan *scan)
{
    free(scan->owner);
    free(scan->kept);
    scan->owner = NULL;
    scan->kept = NULL;
    scan->count = scan->room = 0;
}
