/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/objtab.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "collector/sig/hotspot.h"
#include "collector/sig/recent.h"
#include "collector/sig/node.h"
#include "collector/sig/regs.h"
#include "collector/sig/rule.h"
#include "collector/sig/sys.h"
#include "share/ctl.h"

enum {
    FIRST_CAPACITY = 32,
    READ_TRIES = 16,
    USE_CELLS = 4096, /* instances may share cells, which only causes extra flushes */
};

struct table {
    struct objtab_object *objects; /* sorted by lo, no overlaps */
    u32 count;
    u32 capacity;
};

u32 objtab_generation;
u32 objtab_refresh_wanted;

/*
 * Readers use tables[version & 1]; the writer fills the other one and then increments
 * the version. A reader that sees another version afterwards tries again, since its
 * table may have been written in the meantime.
 */
static ER_LARGE struct objtab_object first[2][FIRST_CAPACITY];
static struct table tables[2] = {
    { first[0], 0, FIRST_CAPACITY },
    { first[1], 0, FIRST_CAPACITY },
};
static u32 version;

static int (*finder)(void *, struct dl_find_object *);
static const u64 *code;
static u32 code_words;
static u32 met_unknown;

/*
 * Which entries the caches have for an instance. Numbers are places in the ring of
 * recent.h.
 */
static ER_LARGE struct use {
    u64 since; /* number of the first, + 1; 0 = there are none */
    u64 gone_since; /* [gone_since, gone_end): those from before it was unloaded */
    u64 gone_end;
} uses[USE_CELLS];
static ER_LARGE u64 areas[AREA_CELLS]; /* like use.since, for code in no object */

ER_LARGE u32 recent_ring[RECENT_PLACES];
u64 recent_head;

void
objtab_set_finder(void *function)
{
    __atomic_store_n(&finder, (int (*)(void *, struct dl_find_object *))function,
                     __ATOMIC_RELEASE);
}

void
objtab_mark_use(u32 instance, u64 pc)
{
    u64 *cell = &uses[instance % USE_CELLS].since, none = 0;

    if (!instance) {
        cell = &areas[(pc >> AREA_SHIFT) % AREA_CELLS];
        __atomic_store_n(&met_unknown, 1, __ATOMIC_RELAXED);
    }
    if (!__atomic_load_n(cell, __ATOMIC_RELAXED))
        __atomic_compare_exchange_n(cell, &none, recent_now() + 1, 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED);
}

int
objtab_saw_unknown(void)
{
    return (int)__atomic_load_n(&met_unknown, __ATOMIC_RELAXED);
}

u32
objtab_now(void)
{
    return __atomic_load_n(&version, __ATOMIC_SEQ_CST);
}

u32
objtab_count(void)
{
    return tables[version & 1].count;
}

/*
 * The number of objects with lo <= pc. The count is loaded before the pointer, and the
 * writer stores them in the other order, so the memory always holds that many.
 */
static u32
upper_bound(const struct table *t, u64 pc)
{
    u32 low = 0, high = __atomic_load_n(&t->count, __ATOMIC_ACQUIRE);
    const struct objtab_object *objects =
        __atomic_load_n(&t->objects, __ATOMIC_RELAXED);

    while (low < high) {
        u32 middle = low + (high - low) / 2;

        if (__atomic_load_n(&objects[middle].lo, __ATOMIC_RELAXED) <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Find the object that has pc in the table. 1 with *object set; 0 = no object has it;
 * -EAGAIN = writers changed the table during each try.
 */
static int
find_in_table(u64 pc, struct objtab_object *object)
{
    for (int i = 0; i < READ_TRIES; i++) {
        u32 seen = __atomic_load_n(&version, __ATOMIC_ACQUIRE);
        const struct table *t = &tables[seen & 1];
        struct objtab_object copy = { 0 };
        u32 n = upper_bound(t, pc);

        if (n > 0)
            copy = t->objects[n - 1];
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&version, __ATOMIC_RELAXED) != seen)
            continue;
        if (n == 0 || pc >= copy.hi)
            return 0;
        *object = copy;
        return 1;
    }
    return -EAGAIN;
}

static int
call_finder(u64 pc, struct objtab_object *object)
{
    int (*find)(void *, struct dl_find_object *) =
        __atomic_load_n(&finder, __ATOMIC_ACQUIRE);
    struct dl_find_object found;

    if (!find || find((void *)(uintptr_t)pc, &found) != 0)
        return 0;
    *object = (struct objtab_object){
        .lo = (u64)(uintptr_t)found.dlfo_map_start,
        .hi = (u64)(uintptr_t)found.dlfo_map_end,
        .hdr = (u64)(uintptr_t)found.dlfo_eh_frame,
    };
    if (object->hdr >= object->lo && object->hdr < object->hi)
        object->hdr_size = object->hi - object->hdr;
    return 1;
}

int
objtab_find(u64 pc, struct objtab_object *object)
{
    if (pc >> REGS_PC_BITS)
        return 0;
    if (find_in_table(pc, object) == 1)
        return 1;
    if (!call_finder(pc, object))
        return 0;
    objtab_refresh_wanted = 1;
    return 1;
}

enum objtab_code
objtab_code(u64 pc)
{
    struct objtab_object object;

    if (find_in_table(pc, &object) == 1)
        return object.flags & (OBJTAB_ANONYMOUS | OBJTAB_JIT) ? CODE_MADE : CODE_OBJECT;
    for (u32 i = 0; i < code_words; i++) {
        u64 word = __atomic_load_n(&code[i], __ATOMIC_RELAXED);

        if (ctl_code_has(word, pc))
            return CODE_MADE;
        if (!word)
            break;
    }
    if (hotspot_holds(pc))
        return CODE_MADE;
    return call_finder(pc, &object) ? CODE_OBJECT : CODE_NONE;
}

void
objtab_set_code(const u64 *words, u32 n)
{
    code_words = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    code = words;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    code_words = words ? n : 0;
}

/*
 * Give the table that no new reader uses room for `count` objects; its contents may be
 * lost. The old memory is not freed, as a slow reader may still be reading it. 0 or
 * -errno.
 */
static int
grow(struct table *t, u32 count)
{
    u32 capacity = t->capacity;
    struct objtab_object *larger;

    while (capacity < count)
        capacity *= 2;
    if (capacity == t->capacity)
        return 0;
    larger = sys_map((u64)capacity * sizeof(*larger));
    if (!larger)
        return -ENOMEM;
    t->objects = larger;
    t->capacity = capacity;
    return 0;
}

struct removal {
    u64 lo; /* [lo, hi) */
    u64 hi;
    u32 instance; /* only ranges of this one; 0 = all */
};

/* Copy what the removal leaves of an object; returns the number of pieces, 0 to 2. */
static u32
cut(const struct objtab_object *o, const struct removal *r,
    struct objtab_object *pieces)
{
    u64 lo = r->lo, hi = r->hi;
    u32 n = 0;

    if (o->hi <= lo || o->lo >= hi || (r->instance && o->instance != r->instance)) {
        pieces[0] = *o;
        return 1;
    }
    if (o->lo < lo) {
        pieces[n] = *o;
        pieces[n++].hi = lo;
    }
    if (o->hi > hi) {
        pieces[n] = *o;
        pieces[n++].lo = hi;
    }
    return n;
}

/*
 * Publish a new table: the present one after a removal, with `added` unless that is
 * NULL.
 */
static int
rewrite(const struct removal *r, const struct objtab_object *added)
{
    const struct table *now = &tables[version & 1];
    struct table *next = &tables[(version + 1) & 1];
    u32 n = 0;
    int err = grow(next, now->count + 2);

    if (err)
        return err;
    for (u32 i = 0; i < now->count; i++) {
        struct objtab_object pieces[2];
        u32 k = cut(&now->objects[i], r, pieces);

        for (u32 j = 0; j < k; j++) {
            if (added && added->lo < pieces[j].lo) {
                next->objects[n++] = *added;
                added = NULL;
            }
            next->objects[n++] = pieces[j];
        }
    }
    if (added)
        next->objects[n++] = *added;
    __atomic_store_n(&next->count, n, __ATOMIC_RELEASE);
    __atomic_exchange_n(&version, version + 1, __ATOMIC_SEQ_CST);
    return 0;
}

/* The lesser of least and the number that `since` stands for, if any. */
static u64
earlier(u64 least, u64 since)
{
    return since && since - 1 < least ? since - 1 : least;
}

/*
 * The number in the ring from which on there may be entries for what lay in [lo, hi)
 * before the last rewrite(); ~0 = there are none.
 */
static u64
used_since(u64 lo, u64 hi)
{
    const struct table *before = &tables[(version + 1) & 1];
    u64 least = ~(u64)0;

    for (u32 i = 0; i < before->count; i++) {
        const struct objtab_object *o = &before->objects[i];

        if (o->lo < hi && o->hi > lo)
            least = earlier(least, uses[o->instance % USE_CELLS].since);
    }
    return least;
}

/* As used_since(), but for code that was in no object. */
static u64
unknown_since(const struct recent_gone *gone)
{
    u64 least = ~(u64)0;

    if (!objtab_saw_unknown())
        return least;
    for (u64 i = 0; i < gone->areas && i < AREA_CELLS; i++)
        least = earlier(least, areas[(gone->area + i) % AREA_CELLS]);
    return least;
}

static void
flush_all(const struct recent_gone *gone)
{
    rule_flush(gone);
    node_flush(gone);
}

static void
forget_some(u64 since, u64 end, const struct recent_gone *gone)
{
    for (u64 i = since; i < end; i++) {
        u32 place = recent_at(i);

        if (place < RULE_PLACES)
            rule_flush_place(place, gone);
        else
            node_flush_place(place, gone);
    }
}

/*
 * Remove the cache entries that are gone, from number `since` on. Returns the number
 * that was next at the beginning: entries from there on may be for code that is not
 * gone.
 */
static u64
forget(u64 since, const struct recent_gone *gone)
{
    u64 begin = recent_now(), at = since, end = begin;

    /*
     * Repeat until no entry is added: another thread may copy an entry from a place
     * that was not searched yet to one that was.
     */
    while (recent_has(since) && at < end) {
        forget_some(at, end, gone);
        at = end;
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        end = recent_now();
    }
    if (!recent_has(since))
        flush_all(gone);
    return begin;
}

static int
is_in_table(u32 cell)
{
    const struct table *t = &tables[version & 1];

    for (u32 i = 0; i < t->count; i++)
        if (t->objects[i].instance % USE_CELLS == cell)
            return 1;
    return 0;
}

/* Record that nothing is cached any more for the objects that were in [lo, hi). */
static void
close_uses(u64 lo, u64 hi)
{
    const struct table *before = &tables[(version + 1) & 1];

    for (u32 i = 0; i < before->count; i++) {
        const struct objtab_object *o = &before->objects[i];
        struct use *use = &uses[o->instance % USE_CELLS];

        if (o->lo >= hi || o->hi <= lo || !use->since ||
            is_in_table(o->instance % USE_CELLS))
            continue;
        use->gone_since = use->since - 1;
        use->gone_end = recent_now();
        __atomic_store_n(&use->since, 0, __ATOMIC_RELAXED);
    }
}

/*
 * As close_uses(), but for code in no object: nothing is cached from before `end`. From
 * there on, other threads may have added entries.
 */
static void
close_areas(const struct recent_gone *gone, u64 end)
{
    for (u64 i = 0; i < gone->areas && i < AREA_CELLS; i++) {
        u64 *cell = &areas[(gone->area + i) % AREA_CELLS];

        if (__atomic_load_n(cell, __ATOMIC_RELAXED))
            __atomic_store_n(cell, end + 1, __ATOMIC_RELAXED);
    }
}

static void
new_generation(void)
{
    __atomic_fetch_add(&objtab_generation, 1, __ATOMIC_SEQ_CST);
}

/*
 * Remove from all caches what they have for [lo, hi), as it was before the last
 * rewrite().
 */
static void
flush(u64 lo, u64 hi, int with_unknown)
{
    struct recent_gone gone = { .lo = lo, .hi = hi, .area = lo >> AREA_SHIFT };
    u64 since = used_since(lo, hi), unknown, end;

    if (with_unknown)
        gone.areas = (hi >> AREA_SHIFT) - gone.area + 1;
    unknown = unknown_since(&gone);
    if (unknown < since)
        since = unknown;
    if (since >= recent_now())
        return;
    /* Also invalidate walks that have begun before everything was flushed. */
    new_generation();
    end = forget(since, &gone);
    new_generation();
    close_uses(lo, hi);
    close_areas(&gone, end);
}

/* Reactivate the nodes that were deactivated when this instance was unloaded. */
static void
wake(u32 instance)
{
    struct use *use = &uses[instance % USE_CELLS];
    u64 from = use->gone_since, end = use->gone_end;

    if (from == end)
        return;
    use->gone_since = use->gone_end = 0;
    if (!recent_has(from))
        return;
    objtab_mark_use(instance, 0);
    for (u64 i = from; i < end; i++)
        if (recent_at(i) >= RULE_PLACES)
            node_wake_place(recent_at(i), instance);
}

int
objtab_add(const struct objtab_object *object)
{
    struct objtab_object old;
    int err;

    if (object->lo >= object->hi || object->hi >> REGS_PC_BITS)
        return -EINVAL;
    if (find_in_table(object->lo, &old) == 1 && !memcmp(&old, object, sizeof(old)))
        return 0;
    err = rewrite(&(struct removal){ object->lo, object->hi, 0 }, object);
    if (err)
        return err;
    flush(object->lo, object->hi, 1);
    if (object->instance)
        wake(object->instance);
    return 0;
}

static int
is_in_range(u64 lo, u64 hi, u32 instance)
{
    const struct table *t = &tables[version & 1];

    for (u32 i = 0; i < t->count; i++)
        if (t->objects[i].lo < hi && t->objects[i].hi > lo &&
            t->objects[i].instance == instance)
            return 1;
    return 0;
}

int
objtab_remove(u64 lo, u64 hi, u32 instance)
{
    int err;

    if (!is_in_range(lo, hi, instance))
        return 0;
    err = rewrite(&(struct removal){ lo, hi, instance }, NULL);

    if (!err)
        flush(lo, hi, 0);
    return err;
}
