/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/loaded.h"

#include <errno.h>

#include "collector/sig/cache_use.h"
#include "collector/sig/node.h"
#include "collector/sig/recent.h"
#include "collector/sig/regs.h"
#include "collector/sig/rule.h"

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

static void
new_generation(void)
{
    __atomic_fetch_add(&objtab_generation, 1, __ATOMIC_SEQ_CST);
}

/*
 * Remove from all caches what they have for [lo, hi), as it was before the last
 * objtab_rewrite().
 */
static void
flush(u64 lo, u64 hi, int with_unknown)
{
    struct recent_gone gone = { .lo = lo, .hi = hi, .area = lo >> AREA_SHIFT };
    u64 since = cache_use_since(lo, hi), unknown, end;

    if (with_unknown)
        gone.areas = (hi >> AREA_SHIFT) - gone.area + 1;
    unknown = cache_use_since_unknown(&gone);
    if (unknown < since)
        since = unknown;
    if (since >= recent_now())
        return;
    /* Also invalidate walks that have begun before everything was flushed. */
    new_generation();
    end = forget(since, &gone);
    new_generation();
    cache_use_close(lo, hi);
    cache_use_close_unknown(&gone, end);
}

/* Reactivate the nodes that were deactivated when this instance was unloaded. */
static void
wake(u32 instance)
{
    u64 from, end;

    if (!cache_use_reopen(instance, &from, &end) || !recent_has(from))
        return;
    cache_use_mark(instance, 0);
    for (u64 i = from; i < end; i++)
        if (recent_at(i) >= RULE_PLACES)
            node_wake_place(recent_at(i), instance);
}

int
loaded_add(const struct objtab_object *object)
{
    int err;

    if (object->lo >= object->hi || object->hi >> REGS_PC_BITS)
        return -EINVAL;
    if (objtab_has(object))
        return 0;
    err = objtab_rewrite(&(struct objtab_removal){ object->lo, object->hi, 0 }, object);
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
    const struct objtab_table *t = objtab_present();

    for (u32 i = 0; i < t->count; i++)
        if (t->objects[i].lo < hi && t->objects[i].hi > lo &&
            t->objects[i].instance == instance)
            return 1;
    return 0;
}

int
loaded_remove(u64 lo, u64 hi, u32 instance)
{
    int err;

    if (!is_in_range(lo, hi, instance))
        return 0;
    err = objtab_rewrite(&(struct objtab_removal){ lo, hi, instance }, NULL);
    if (!err)
        flush(lo, hi, 0);
    return err;
}
