/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/objtab.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "collector/sig/hotspot.h"
#include "collector/sig/regs.h"
#include "collector/sig/sys.h"
#include "share/ctl.h"

enum {
    FIRST_CAPACITY = 32,
    READ_TRIES = 16,
};

u32 objtab_generation;
u32 objtab_refresh_wanted;

/*
 * Readers use tables[version & 1]; the writer fills the other one and then increments
 * the version. A reader that sees another version afterwards tries again, since its
 * table may have been written in the meantime.
 */
static ER_LARGE struct objtab_object first[2][FIRST_CAPACITY];
static struct objtab_table tables[2] = {
    { first[0], 0, FIRST_CAPACITY },
    { first[1], 0, FIRST_CAPACITY },
};
static u32 version;

static int (*finder)(void *, struct dl_find_object *);
static const u64 *code;
static u32 code_words;

void
objtab_set_finder(void *function)
{
    __atomic_store_n(&finder, (int (*)(void *, struct dl_find_object *))function,
                     __ATOMIC_RELEASE);
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

const struct objtab_table *
objtab_present(void)
{
    return &tables[version & 1];
}

const struct objtab_table *
objtab_previous(void)
{
    return &tables[(version + 1) & 1];
}

/*
 * The number of objects with lo <= pc. The count is loaded before the pointer, and the
 * writer stores them in the other order, so the memory always holds that many.
 */
static u32
upper_bound(const struct objtab_table *t, u64 pc)
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
        const struct objtab_table *t = &tables[seen & 1];
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

int
objtab_has(const struct objtab_object *object)
{
    struct objtab_object found;

    return find_in_table(object->lo, &found) == 1 &&
           !memcmp(&found, object, sizeof(found));
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
grow(struct objtab_table *t, u32 count)
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

/* Copy what the removal leaves of an object; returns the number of pieces, 0 to 2. */
static u32
cut(const struct objtab_object *o, const struct objtab_removal *r,
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

int
objtab_rewrite(const struct objtab_removal *r, const struct objtab_object *added)
{
    const struct objtab_table *now = &tables[version & 1];
    struct objtab_table *next = &tables[(version + 1) & 1];
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
