/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/objtab.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "collector/sig/node.h"
#include "collector/sig/regs.h"
#include "collector/sig/rule.h"
#include "collector/sig/sys.h"
#include "share/ctl.h"

enum {
    FIRST_CAPACITY = 128,
    READ_TRIES = 16,
    USE_CELLS = 4096, /* instances share cells: then a flush too many is made */
};

struct table {
    struct objtab_object *objects; /* sorted by lo, no overlaps */
    u32 count;
    u32 capacity;
};

u32 objtab_generation;
u32 objtab_refresh_wanted;

/*
 * Readers use tables[version & 1]; the writer fills the other one and then moves the
 * version. A reader that sees another version afterwards has read in a table that may
 * have been written meanwhile, and tries again.
 */
static struct objtab_object first[2][FIRST_CAPACITY];
static struct table tables[2] = {
    { first[0], 0, FIRST_CAPACITY },
    { first[1], 0, FIRST_CAPACITY },
};
static u32 version;

static int (*finder)(void *, struct dl_find_object *);
static const u64 *code;
static u32 code_words;
static unsigned char used[USE_CELLS];

void
objtab_set_finder(void *function)
{
    __atomic_store_n(&finder, (int (*)(void *, struct dl_find_object *))function,
                     __ATOMIC_RELEASE);
}

void
objtab_note_use(u32 instance)
{
    unsigned char *cell = &used[instance % USE_CELLS];

    if (!__atomic_load_n(cell, __ATOMIC_RELAXED))
        __atomic_store_n(cell, 1, __ATOMIC_RELAXED);
}

int
objtab_met_unknown(void)
{
    return __atomic_load_n(&used[0], __ATOMIC_RELAXED);
}

u32
objtab_count(void)
{
    return tables[version & 1].count;
}

/*
 * The number of objects with lo <= pc. The count is loaded before the pointer, and the
 * writer stores them in the other order: the memory always holds that many.
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

/* 1 and *object, 0 when no object has pc, -EAGAIN when writers kept overtaking us. */
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
ask_finder(u64 pc, struct objtab_object *object)
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
    if (!ask_finder(pc, object))
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
    return ask_finder(pc, &object) ? CODE_OBJECT : CODE_NONE;
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

/* Make room in the table that no reader starts on; slow ones may still read it. */
static int
grow(struct table *t, u32 count)
{
    u32 capacity = t->capacity;
    long memory;

    while (capacity < count)
        capacity *= 2;
    if (capacity == t->capacity)
        return 0;
    memory = sys_mmap_anonymous((u64)capacity * sizeof(*t->objects));
    if (memory < 0 && memory > -4096)
        return (int)memory;
    t->objects = (struct objtab_object *)memory;
    t->capacity = capacity;
    return 0;
}

/* Copy what [lo, hi) leaves of an object; returns the number of pieces, 0 to 2. */
static u32
cut(const struct objtab_object *o, u64 lo, u64 hi, struct objtab_object *pieces)
{
    u32 n = 0;

    if (o->hi <= lo || o->lo >= hi) {
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

/* Publish the present table without [lo, hi), and with added unless NULL. */
static int
rewrite(u64 lo, u64 hi, const struct objtab_object *added)
{
    const struct table *now = &tables[version & 1];
    struct table *next = &tables[(version + 1) & 1];
    u32 n = 0;
    int err = grow(next, now->count + 2);

    if (err)
        return err;
    for (u32 i = 0; i < now->count; i++) {
        struct objtab_object pieces[2];
        u32 k = cut(&now->objects[i], lo, hi, pieces);

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
    __atomic_store_n(&version, version + 1, __ATOMIC_RELEASE);
    return 0;
}

/* 1 if something that caches hold lies in [lo, hi): of its objects, or unknown then. */
static int
cached_in(u64 lo, u64 hi, int with_unknown)
{
    const struct table *t = &tables[version & 1];

    if (with_unknown && used[0])
        return 1;
    for (u32 i = 0; i < t->count; i++) {
        const struct objtab_object *o = &t->objects[i];

        if (o->lo < hi && o->hi > lo && used[o->instance % USE_CELLS])
            return 1;
    }
    return 0;
}

static void
flush(u64 lo, u64 hi)
{
    rule_flush(lo, hi);
    node_flush(lo, hi);
    __atomic_store_n(&objtab_generation, objtab_generation + 1, __ATOMIC_RELEASE);
}

int
objtab_add(const struct objtab_object *object)
{
    struct objtab_object old;
    int dirty, err;

    if (object->lo >= object->hi || object->hi >> REGS_PC_BITS)
        return -EINVAL;
    if (find_in_table(object->lo, &old) == 1 && !memcmp(&old, object, sizeof(old)))
        return 0;
    dirty = cached_in(object->lo, object->hi, 1);
    err = rewrite(object->lo, object->hi, object);
    if (!err && dirty)
        flush(object->lo, object->hi);
    return err;
}

int
objtab_remove(u64 lo, u64 hi)
{
    int dirty = cached_in(lo, hi, 0);
    int err = rewrite(lo, hi, NULL);

    if (!err && dirty)
        flush(lo, hi);
    return err;
}
