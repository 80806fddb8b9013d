/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of the places in the caches of rules and nodes that were filled last, in
 * order. All entries for an object were filled after the object was first seen, so they
 * can be removed without a search through the caches. Signal handlers, any thread.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_RECENT_H
#define ERTOOLS_COLLECTOR_SIG_RECENT_H

#include "share/types.h"

enum {
    RECENT_PLACES = 16384, /* fewer than the caches have places */
    AREA_CELLS = 512,
    AREA_SHIFT = 21, /* of an address: areas, many to a cell */
};

/* What is to be forgotten. */
struct recent_gone {
    u64 lo; /* [lo, hi]: all; as a return address hi is of what lies before it */
    u64 hi;
    u64 area; /* so many areas from this one on: what was in no object */
    u64 areas;
};

static inline int
recent_is_gone(const struct recent_gone *gone, u64 pc, int unknown)
{
    return (pc >= gone->lo && pc <= gone->hi) ||
           (unknown && ((pc >> AREA_SHIFT) - gone->area) % AREA_CELLS < gone->areas);
}

extern u32 recent_ring[RECENT_PLACES];
extern u64 recent_head; /* how many there have been */

static inline u64
recent_now(void)
{
    return __atomic_load_n(&recent_head, __ATOMIC_SEQ_CST);
}

/* A place was filled. */
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
