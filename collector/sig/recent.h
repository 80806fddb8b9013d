/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of the places that were filled last in two caches, those of unwind rules and
 * of stack nodes, the oldest first. cache_use.c keeps the ring's position from before
 * the first entry for a load object. When the object is unloaded, only the places from
 * that position on must be looked at. If the ring has overwritten some of these, both
 * caches are searched. Runs in signal handlers of any thread.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_RECENT_H
#define ERTOOLS_COLLECTOR_SIG_RECENT_H

#include "share/types.h"

enum {
    RECENT_PLACES = 16384, /* fewer than the caches have places */
    AREA_CELLS = 512,
    AREA_SHIFT = 21, /* an area is 2 MiB of addresses; many areas share a cell */
};

/* Which cache entries are to be removed. */
struct recent_gone {
    u64 lo; /* [lo, hi]: all entries; a return address hi is of code below hi */
    u64 hi;
    u64 area; /* the first of `areas` areas: entries there for code in no object */
    u64 areas;
};

static inline int
recent_is_gone(const struct recent_gone *gone, u64 pc, int unknown)
{
    return (pc >= gone->lo && pc <= gone->hi) ||
           (unknown && ((pc >> AREA_SHIFT) - gone->area) % AREA_CELLS < gone->areas);
}

extern u32 recent_ring[RECENT_PLACES];
extern u64 recent_head; /* number of the next entry: places added so far */

static inline u64
recent_now(void)
{
    return __atomic_load_n(&recent_head, __ATOMIC_SEQ_CST);
}

/* Add a place that was filled. */
static inline void
recent_add(u32 place)
{
    u64 at = __atomic_fetch_add(&recent_head, 1, __ATOMIC_SEQ_CST);

    /* A full barrier: the caller checks next if the objects have changed. */
    __atomic_exchange_n(&recent_ring[at % RECENT_PLACES], place, __ATOMIC_SEQ_CST);
}

/* 1 if all entries from number `since` on are still in the ring. */
static inline int
recent_has(u64 since)
{
    return recent_now() - since <= RECENT_PLACES;
}

static inline u32
recent_at(u64 number)
{
    return __atomic_load_n(&recent_ring[number % RECENT_PLACES], __ATOMIC_RELAXED);
}

#endif
