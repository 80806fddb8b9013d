/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/cache_use.h"

#include "collector/sig/objtab.h"
#include "collector/sig/recent.h"

enum {
    USE_CELLS = 4096, /* instances may share cells, which only causes extra flushes */
};

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

void
cache_use_mark(u32 instance, u64 pc)
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
cache_use_saw_unknown(void)
{
    return (int)__atomic_load_n(&met_unknown, __ATOMIC_RELAXED);
}

/* The lesser of least and the number that `since` stands for, if any. */
static u64
earlier(u64 least, u64 since)
{
    return since && since - 1 < least ? since - 1 : least;
}

u64
cache_use_since(u64 lo, u64 hi)
{
    const struct objtab_table *before = objtab_previous();
    u64 least = ~(u64)0;

    for (u32 i = 0; i < before->count; i++) {
        const struct objtab_object *o = &before->objects[i];

        if (o->lo < hi && o->hi > lo)
            least = earlier(least, uses[o->instance % USE_CELLS].since);
    }
    return least;
}

u64
cache_use_since_unknown(const struct recent_gone *gone)
{
    u64 least = ~(u64)0;

    if (!cache_use_saw_unknown())
        return least;
    for (u64 i = 0; i < gone->areas && i < AREA_CELLS; i++)
        least = earlier(least, areas[(gone->area + i) % AREA_CELLS]);
    return least;
}

static int
is_in_table(u32 cell)
{
    const struct objtab_table *t = objtab_present();

    for (u32 i = 0; i < t->count; i++)
        if (t->objects[i].instance % USE_CELLS == cell)
            return 1;
    return 0;
}

void
cache_use_close(u64 lo, u64 hi)
{
    const struct objtab_table *before = objtab_previous();

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

void
cache_use_close_unknown(const struct recent_gone *gone, u64 end)
{
    for (u64 i = 0; i < gone->areas && i < AREA_CELLS; i++) {
        u64 *cell = &areas[(gone->area + i) % AREA_CELLS];

        if (__atomic_load_n(cell, __ATOMIC_RELAXED))
            __atomic_store_n(cell, end + 1, __ATOMIC_RELAXED);
    }
}

int
cache_use_reopen(u32 instance, u64 *from, u64 *end)
{
    struct use *use = &uses[instance % USE_CELLS];

    *from = use->gone_since;
    *end = use->gone_end;
    use->gone_since = use->gone_end = 0;
    return *from != *end;
}
