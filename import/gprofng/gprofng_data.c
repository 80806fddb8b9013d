/* SPDX-License-Identifier: Apache-2.0 */
/* Reads packets of gprofng's experiments: stacks, and hits of all kinds. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/gprofng/gprofng.h"
#include "print/base/array.h"

enum {
    BLOCK = 65536, /* packets never cross the end of a block */
    HEAD = 4,      /* bytes of a packet's size and kind, 16 bits each */
    FRAME_HEAD = 16,
    INFO_HEAD = 16, /* bytes of a stack's size and kind, 32 bits each, and its id */
    INFO_STACK = 1,
    FRAMES_MOST = 4096, /* frames of a stack that are kept */
};

/* Special values that stand among the addresses of a stack. */
static const u64 NOT_A_CALLER = UINT64_MAX, CUT_OFF = UINT64_MAX - 1,
                 NOT_UNWOUND = UINT64_MAX - 2;

/* States of clock hits; hits in other states are waits. */
enum state {
    STATE_USER = 0,
    STATE_SYSTEM = 1,
    STATE_TRAP = 2,
    STATE_LINUX = 10, /* user and system */
    STATE_KERNEL = 11,
};

enum heap {
    HEAP_MALLOC,
    HEAP_FREE,
    HEAP_REALLOC,
    HEAP_MMAP,
    HEAP_MUNMAP,
};

struct frame {
    u64 uid;
    struct bytes stack; /* addresses, the leaf first */
    u32 node;           /* 0 = not made yet */
};

struct gprofng_frames {
    struct frame *frame; /* sorted by uid */
    u32 count, room;
    u32 word;
};

bool
gprofng_next(struct gprofng_packets *p, struct bytes *packet, u32 *kind)
{
    while (p->file.size > p->at && p->file.size - p->at >= HEAD) {
        struct cursor c = cursor_at(p->file, p->at, false);
        u32 size = cursor_u16(&c);

        *kind = cursor_u16(&c);
        if (size < HEAD || size > p->file.size - p->at) {
            p->at = (p->at / BLOCK + 1) * BLOCK;
            continue;
        }
        *packet = (struct bytes){ p->file.at + p->at, size };
        p->at += size;
        if (*kind && *kind != GPROFNG_CLOSED)
            return true;
    }
    return false;
}

static int
by_uid(const void *a, const void *b)
{
    u64 x = ((const struct frame *)a)->uid, y = ((const struct frame *)b)->uid;

    return x < y ? -1 : x > y;
}

/* Adds the native stack in a packet; other stacks in it are ignored. */
static bool
add_frame(struct gprofng_frames *f, struct bytes packet)
{
    struct cursor c = cursor_at(packet, HEAD, false);
    u64 at = cursor_u32(&c);
    struct frame frame = { .uid = cursor_u64(&c) };

    while (at < packet.size && packet.size - at >= INFO_HEAD) {
        u32 size, kind;

        c = cursor_at(packet, at, false);
        size = cursor_u32(&c);
        kind = cursor_u32(&c);
        if (size < INFO_HEAD || size > packet.size - at)
            break;
        if (kind == INFO_STACK)
            frame.stack = (struct bytes){ packet.at + at + INFO_HEAD,
                                          size - INFO_HEAD };
        at += size;
    }
    if (array_room(&f->frame, &f->room, f->count + 1, sizeof(frame)) < 0)
        return false;
    f->frame[f->count++] = frame;
    return true;
}

int
gprofng_frames_read(struct gprofng_frames **out, struct bytes file, u32 word)
{
    struct gprofng_packets p = { .file = file };
    struct gprofng_frames *f = calloc(1, sizeof(*f));
    struct bytes packet;
    u32 kind;

    *out = f;
    if (!f)
        return -ENOMEM;
    f->word = word;
    while (gprofng_next(&p, &packet, &kind))
        if (kind == GPROFNG_FRAME && packet.size >= FRAME_HEAD &&
            !add_frame(f, packet))
            return -ENOMEM;
    if (f->count)
        qsort(f->frame, f->count, sizeof(*f->frame), by_uid);
    return 0;
}

void
gprofng_frames_free(struct gprofng_frames *f)
{
    if (f)
        free(f->frame);
    free(f);
}

/* Makes the nodes of a stack, beginning with the root, which is its last address. */
static u32
make_node(const struct gprofng_where *w, struct bytes stack, u64 time, bool exact)
{
    u32 word = w->frames->word, count = (u32)(stack.size / word), node = 0;
    struct import *im = w->im;

    if (count > FRAMES_MOST) {
        /* A deeper stack is cut: only the frames nearest to the leaf are kept. */
        count = FRAMES_MOST;
        node = import_node(im, w->process, 0, 0, 0, NODE_TRUNCATED);
    }
    while (count-- > 0) {
        struct cursor c = cursor_at(stack, (u64)count * word, false);
        u64 pc = cursor_uint(&c, word), signed_pc = pc;
        u32 object, flags = exact && !count ? NODE_EXACT : 0;

        if (word == 4 && pc > UINT32_MAX - 3)
            signed_pc = UINT64_MAX - (UINT32_MAX - pc);
        if (signed_pc == NOT_A_CALLER)
            continue;
        if (signed_pc == CUT_OFF || signed_pc == NOT_UNWOUND) {
            node = import_node(im, w->process, node, 0, 0, NODE_TRUNCATED);
            continue;
        }
        object = gprofng_map_object(im, w->process, w->log, w->map,
                                    pc - (flags || !pc ? 0 : 1), time);
        node = import_node(im, w->process, node, object, pc,
                           object ? flags : flags | NODE_UNKNOWN);
    }
    return node;
}

u32
gprofng_frames_node(const struct gprofng_where *w, u64 uid, u64 time, bool exact)
{
    const struct gprofng_frames *f = w->frames;
    u32 lo = 0, hi = f->count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (f->frame[mid].uid < uid)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == f->count || f->frame[lo].uid != uid)
        return 0;
    if (!f->frame[lo].node || w->map->unloads)
        f->frame[lo].node = make_node(w, f->frame[lo].stack, time, exact);
    return f->frame[lo].node;
}

struct hit {
    u64 time;
    struct bytes packet;
};

struct adder {
    const struct gprofng_where *w;
    const struct gprofng_table *table;
    u32 wait, waits, bytes; /* numbers of counters */
    u64 unread; /* packets that are left out: waits of the clock, unknown values */
    u64 unsaid;             /* calls of realloc that do not name the old block */
};

static u64
field(const struct adder *a, struct bytes packet, enum gprofng_field field)
{
    struct cursor c = cursor_at(packet, a->table->at[field], false);

    return a->table->size[field] ? cursor_uint(&c, a->table->size[field]) : 0;
}

struct thread_key {
    const struct import_process *p;
    u32 tid;
};

static bool
same_thread(const void *context, u32 index)
{
    const struct thread_key *key = context;

    return key->p->thread[index].tid == key->tid;
}

static u32
thread_of(const struct gprofng_where *w, u32 tid, u64 time)
{
    struct thread_key key = { &w->im->process[w->process - 1], tid };
    u32 hash = (u32)hash_mix(tid), at;

    at = hash_find(w->threads, hash, same_thread, &key);
    if (at != HASH_NONE)
        return at + 1;
    at = import_thread(w->im, w->process, tid, time);
    if (at && hash_add(w->threads, hash, at - 1) < 0)
        w->im->failed = true;
    return at;
}

static void
add_clock(struct adder *a, struct bytes packet, struct import_hit *hit)
{
    u64 state = field(a, packet, FIELD_MSTATE);

    hit->value = field(a, packet, FIELD_NTICK) * a->w->log->clock_ns;
    hit->kernel = state == STATE_SYSTEM || state == STATE_TRAP || state == STATE_KERNEL;
    if (state == STATE_USER || state == STATE_LINUX || hit->kernel)
        import_clock(a->w->im, hit);
    else
        a->unread++;
}

static void
add_count(struct adder *a, struct bytes packet, struct import_hit *hit)
{
    u64 tag = field(a, packet, FIELD_HWCTAG), value = field(a, packet, FIELD_HWCINT);

    /* The top bit, which says that the counter was read with an error, is removed. */
    hit->value = value & ((1ull << 63) - 1);
    for (u32 i = 0; i < a->w->log->ncounters; i++) {
        const struct gprofng_counter *c = &a->w->log->counter[i];

        if (c->tag != tag)
            continue;
        if (c->counter < IMPORT_COUNTERS)
            import_count(a->w->im, c->counter, hit);
        return;
    }
    a->unread++;
}

static void
add_heap(struct adder *a, struct bytes packet, struct import_hit *hit)
{
    u64 address = field(a, packet, FIELD_HVADDR), old = 0;

    hit->value = field(a, packet, FIELD_HSIZE);
    switch (field(a, packet, FIELD_HTYPE)) {
    case HEAP_FREE:
    case HEAP_MUNMAP:
        old = address;
        address = 0;
        break;
    case HEAP_REALLOC:
        old = field(a, packet, FIELD_HOVADDR);
        a->unsaid += !old;
        break;
    case HEAP_MALLOC:
    case HEAP_MMAP:
        break;
    default:
        a->unread++;
        return;
    }
    if (old)
        import_free(a->w->im, hit, old);
    if (address)
        import_alloc(a->w->im, hit, address);
}

static void
add_value(struct adder *a, u32 counter, struct import_hit *hit, u64 value)
{
    hit->value = value;
    if (value && counter < IMPORT_COUNTERS)
        import_count(a->w->im, counter, hit);
}

/* Adds a wait; the packet's time is the end of the wait. */
static void
add_wait(struct adder *a, struct bytes packet, struct import_hit *hit)
{
    bool io = a->table->kind == GPROFNG_IO;
    u64 from = field(a, packet, io ? FIELD_IORQST : FIELD_SRQST);

    add_value(a, a->wait, hit, from && from < hit->time ? hit->time - from : 0);
    add_value(a, a->waits, hit, 1);
    if (io)
        add_value(a, a->bytes, hit, field(a, packet, FIELD_IONBYTE));
}

static void
add_packet(struct adder *a, const struct hit *h)
{
    const struct gprofng_where *w = a->w;
    u32 kind = a->table->kind;
    bool sampled = kind != GPROFNG_HEAP && kind != GPROFNG_SYNC && kind != GPROFNG_IO;
    struct import_hit hit = { .process = w->process, .time = h->time };

    hit.thread = thread_of(w, (u32)field(a, h->packet, FIELD_LWPID), h->time);
    hit.cpu = (u32)field(a, h->packet, FIELD_CPUID);
    hit.node = gprofng_frames_node(w, field(a, h->packet, FIELD_FRINFO), h->time,
                                   sampled);
    if (!hit.thread)
        return;
    if (kind == GPROFNG_HEAP)
        add_heap(a, h->packet, &hit);
    else if (!sampled)
        add_wait(a, h->packet, &hit);
    else if (kind == GPROFNG_COUNT || kind == GPROFNG_COUNT_MEMORY)
        add_count(a, h->packet, &hit);
    else
        add_clock(a, h->packet, &hit);
}

static int
by_time(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->packet.at < y->packet.at ? -1 : x->packet.at > y->packet.at;
}

/*
 * Declares what the table's packets become: heap data, clock hits, or, for waits and
 * I/O, which are not counters in gprofng, new counters. Hardware counters exist
 * already.
 */
static void
name_counters(struct adder *a)
{
    struct import *im = a->w->im;
    bool io = a->table->kind == GPROFNG_IO;
    u64 scale;

    switch (a->table->kind) {
    case GPROFNG_HEAP:
        im->has_heap = true;
        break;
    case GPROFNG_CLOCK:
    case GPROFNG_CLOCK_OLD:
        im->has_clock = true;
        im->clock_ns = a->w->log->clock_ns;
        break;
    case GPROFNG_SYNC:
    case GPROFNG_IO:
        a->wait = import_counter_unit(im, io ? "io-time" : "sync-wait-time", "ns",
                                      &scale);
        a->waits = import_counter(im, io ? "io-calls" : "sync-waits");
        if (io)
            a->bytes = import_counter_unit(im, "io-bytes", "bytes", &scale);
        break;
    }
}

int
gprofng_add(const struct gprofng_where *w, const struct gprofng_table *table,
            struct bytes file)
{
    struct adder a = { .w = w, .table = table };
    struct gprofng_packets p = { .file = file };
    struct hit *hit = NULL;
    u32 count = 0, room = 0, kind;
    struct bytes packet;

    while (gprofng_next(&p, &packet, &kind)) {
        if (kind != table->kind)
            continue;
        if (array_room(&hit, &room, count + 1, sizeof(*hit)) < 0) {
            free(hit);
            return -ENOMEM;
        }
        hit[count] = (struct hit){ .packet = packet };
        hit[count++].time = field(&a, packet, FIELD_TSTAMP);
    }
    if (count) {
        name_counters(&a);
        qsort(hit, count, sizeof(*hit), by_time);
    }
    for (u32 i = 0; i < count && !w->im->failed; i++)
        add_packet(&a, &hit[i]);
    free(hit);
    w->im->lost += a.unread;
    if (a.unsaid)
        import_add_note(w->im, "%llu calls of realloc do not tell what they replaced: "
                               "if that moved, it counts as never freed",
                        (unsigned long long)a.unsaid);
    return w->im->failed ? -ENOMEM : 0;
}
