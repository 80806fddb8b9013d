/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The places of the caches of rules and nodes in the order in which they were filled:
 * what they have of an object is among what they got since it was first met, so that
 * forgetting it need not look through them. Signal handlers of any thread at once.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_LATELY_H
#define ERTOOLS_COLLECTOR_SIG_LATELY_H

#include "share/types.h"

enum {
    LATELY = 16384, /* so many are remembered: fewer than the caches have places */
    AREA_CELLS = 512,
    AREA_SHIFT = 21, /* of an address: areas, many to a cell */
};

/* What is to be forgotten. */
struct lately_gone {
    u64 lo; /* [lo, hi]: all; as a return address hi is of what lies before it */
    u64 hi;
    u64 area; /* so many areas from this one on: what was in no object */
    u64 areas;
};

static inline int
lately_is_gone(const struct lately_gone *gone, u64 pc, int unknown)
{
    return (pc >= gone->lo && pc <= gone->hi) ||
           (unknown && ((pc >> AREA_SHIFT) - gone->area) % AREA_CELLS < gone->areas);
}

extern u32 lately_ring[LATELY];
extern u64 lately_head; /* how many there have been */

static inline u64
lately_now(void)
{
    return __atomic_load_n(&lately_head, __ATOMIC_SEQ_CST);
}

/* A place was filled. */
static inline void
lately_add(u32 place)
{
    u64 at = __atomic_fetch_add(&lately_head, 1, __ATOMIC_SEQ_CST);

    /* Whoever asks next whether the objects have changed is not to be overtaken. */
    __atomic_exchange_n(&lately_ring[at % LATELY], place, __ATOMIC_SEQ_CST);
}

/* 1 if all that came from number `since` on is still remembered. */
static inline int
lately_has(u64 since)
{
    return lately_now() - since <= LATELY;
}

static inline u32
lately_at(u64 number)
{
    return __atomic_load_n(&lately_ring[number % LATELY], __ATOMIC_RELAXED);
}

#endif
