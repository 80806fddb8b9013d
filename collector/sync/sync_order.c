/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sync/sync_order.h"

#include "collector/sync/sync_write.h"

enum {
    SETS = 16384,
    WAYS = 4,
    RECORDS = 1 << 20, /* after so many, no word is replaced any more */
    OBJECTS = 65536,
    NAMED = 1,         /* bit of `lives`: some record names the object */
};

#define MIX 0x9e3779b97f4a7c15ull

static u64 seen[SETS][WAYS];
static u32 recorded;
/*
 * By hash of an address: the bit NAMED, and above it, the number of earlier objects
 * there, modulo 128.
 */
static unsigned char lives[OBJECTS];

static unsigned char *
life_of(u64 object)
{
    return &lives[object * MIX >> 48];
}

static u64
mix(u64 word, u64 object)
{
    u64 life = (u64)(*life_of(object) & ~NAMED) << 48;

    word = (word ^ object ^ life) * MIX;
    return word ^ word >> 29;
}

/*
 * A hash of self, the locks that it holds, and object, for which it asks. The table
 * `seen` has the hashes of recorded orders. 0 = self holds no other lock.
 */
static u64
word_of(const struct sync_thread *self, u64 object)
{
    u64 word = self->id;
    u32 held = 0;

    for (u32 i = 0; i < self->count; i++) {
        u64 other = self->held[i].object;

        if (other == object || other <= SYNC_BEGUN)
            continue;
        word = mix(word, other);
        held++;
    }
    return held ? mix(word, object) | 1 : 0;
}

static u64 *
set_of(u64 word)
{
    return seen[(word >> 32) % SETS];
}

static int
is_known(u64 word)
{
    const u64 *set = set_of(word);

    for (u32 i = 0; i < WAYS; i++)
        if (__atomic_load_n(&set[i], __ATOMIC_RELAXED) == word)
            return 1;
    return !word;
}

int
sync_order_known(const struct sync_thread *self, u64 object)
{
    return is_known(word_of(self, object));
}

/*
 * Put a word into the table, in place of an older one if its set is full. 1 = its order
 * may be recorded; 0 = too many orders were recorded.
 */
static int
enter(u64 word)
{
    u64 *set = set_of(word);
    u32 before;

    for (u32 i = 0; i < WAYS; i++) {
        u64 empty = 0;

        if (__atomic_compare_exchange_n(&set[i], &empty, word, 0, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return 1;
    }
    before = __atomic_load_n(&recorded, __ATOMIC_RELAXED);
    if (before >= RECORDS) {
        if (before == RECORDS && __atomic_fetch_add(&recorded, 1, __ATOMIC_RELAXED) ==
                                     RECORDS)
            trace_services->event(EVENT_sync_orders, NULL, NULL, NULL, 0);
        return 0;
    }
    __atomic_store_n(&set[word >> 4 & (WAYS - 1)], word, __ATOMIC_RELAXED);
    return 1;
}

static void
put(struct trace_scope *s, const struct rec_order *r, u64 ticks)
{
    struct chunk_writer *w = sync_write_open(s, ticks);

    sync_order_name(r->held);
    sync_order_name(r->object);
    if (__atomic_load_n(&recorded, __ATOMIC_RELAXED) < RECORDS)
        __atomic_fetch_add(&recorded, 1, __ATOMIC_RELAXED);
    sync_write_close(s, w, w ? rec_put_order(&w->codec, trace_at(w), r) : NULL);
}

static void
put_all(struct trace_scope *s, const struct sync_thread *self, struct rec_order *r)
{
    u64 ticks = trace_before();

    r->time = ticks >> SHIFT_synctrace;
    for (u32 i = 0; i < self->count && i < SYNC_HELD; i++) {
        const struct sync_held *h = &self->held[i];

        if (h->object <= SYNC_BEGUN)
            continue;
        r->held = h->object;
        r->held_kind = h->kind;
        r->held_node = h->node ? h->node : trace_place(s, h->pc);
        put(s, r, ticks);
    }
}

void
sync_order(struct sync_thread *self, u64 object, u32 kind,
           const struct walk_start *start)
{
    struct rec_order r = { .object = object, .kind = kind };
    struct sync_held entry;
    struct trace_scope s;
    u64 word;

    if (is_known(word_of(self, object)))
        return;
    sync_thread_prune(self, 0);
    word = word_of(self, object);
    if (is_known(word) || !trace_enter(&s))
        return;
    /* If self holds the lock already, it will not wait for it: record no order. */
    if (!s.paused && enter(word) && !sync_thread_holds(self, object, &entry)) {
        r.node = trace_walk(&s, start);
        put_all(&s, self, &r);
    }
    trace_leave(&s);
}

void
sync_order_name(u64 object)
{
    unsigned char *life = life_of(object);

    if (ER_UNLIKELY(!(*life & NAMED)))
        __atomic_fetch_or(life, NAMED, __ATOMIC_RELAXED);
}

int
sync_order_renew(u64 object)
{
    unsigned char *life = life_of(object);
    unsigned char before = __atomic_load_n(life, __ATOMIC_RELAXED);

    if (!(before & NAMED))
        return 0;
    /*
     * Add 1, which clears NAMED and begins another life: the next object at this
     * address is not named by any record yet. Another object may share this byte.
     */
    __atomic_store_n(life, (unsigned char)(before + 1), __ATOMIC_RELAXED);
    return 1;
}
