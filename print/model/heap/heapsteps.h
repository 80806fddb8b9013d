/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each key held, allocated and freed at once in each step of time, while heapscan
 * reads the records. Steps are those of the curve (heapcurve.h). Keys are numbers that
 * heap_keys.key returned; HEAPSTEPS_OTHER is of blocks that a filter left out. For the
 * model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAP_HEAPSTEPS_H
#define ERTOOLS_PRINT_MODEL_HEAP_HEAPSTEPS_H

#include <stdbool.h>

#include "share/types.h"

enum {
    HEAPSTEPS_OTHER = UINT32_MAX,
};

/*
 * A key in a step in which it changed. In a step without a cell, the key holds what was
 * left in its previous cell.
 */
struct heapsteps_cell {
    u32 step;
    u32 key;
    u64 top;  /* bytes, when the process held most within the step */
    u64 left; /* bytes, at the end of the step */
    u64 calls, bytes; /* allocations within the step, and their bytes */
    u64 temporary;    /* blocks freed within the step before their thread's next
                         allocation; not known of HEAPSTEPS_OTHER */
};

/* A key in the present step. */
struct heapsteps_key {
    struct heapsteps_cell now; /* left: up to now; top is valid if `tops` is */
    u64 tops;                  /* number of the top to which now.top belongs */
    bool changed;              /* in this step */
};

/* All 0 is empty; `bits` is the caller's. */
struct heapsteps {
    u32 bits; /* a step is 1 << bits long */
    u32 step; /* the present one */
    u64 tops; /* how often the process held more than before, in any step */
    struct heapsteps_key *key; /* indexed by key + 1 */
    u32 keys;
    u32 *changed; /* keys that changed in this step, each + 1 */
    u32 nchanged, changed_room;
    struct heapsteps_cell *cell; /* by step */
    u32 count, room;
    bool no_memory;
};

/* Get a key that is about to change, and mark it as changed. NULL: no memory. */
struct heapsteps_key *heapsteps_change(struct heapsteps *steps, u32 key);

/* Complete the present step, and go to `step`. */
void heapsteps_move(struct heapsteps *steps, u32 step);

void heapsteps_free(struct heapsteps *steps);

/* The following functions do nothing if `steps` is NULL. */

/* An event is in this step: complete the steps before it. */
static inline void
heapsteps_at(struct heapsteps *steps, u32 step)
{
    if (ER_UNLIKELY(steps != NULL) && step != steps->step)
        heapsteps_move(steps, step);
}

/* A block begins. Call this before heapsteps_top(). */
static inline void
heapsteps_begin(struct heapsteps *steps, u32 key, u64 size)
{
    struct heapsteps_key *k = ER_UNLIKELY(steps != NULL) ? heapsteps_change(steps, key)
                                                         : NULL;

    if (ER_LIKELY(!k))
        return;
    k->now.left += size;
    k->now.calls++;
    k->now.bytes += size;
}

/* The process holds more than ever in this step. */
static inline void
heapsteps_top(struct heapsteps *steps)
{
    if (ER_UNLIKELY(steps != NULL))
        steps->tops++;
}

/* A block ends, or loses `size` bytes. */
static inline void
heapsteps_end(struct heapsteps *steps, u32 key, u64 size)
{
    struct heapsteps_key *k = ER_UNLIKELY(steps != NULL) ? heapsteps_change(steps, key)
                                                         : NULL;

    if (ER_UNLIKELY(k != NULL))
        k->now.left -= size;
}

/* A block of the key is freed before its thread's next allocation. */
static inline void
heapsteps_temporary(struct heapsteps *steps, u32 key)
{
    struct heapsteps_key *k = ER_UNLIKELY(steps != NULL) ? heapsteps_change(steps, key)
                                                         : NULL;

    if (ER_UNLIKELY(k != NULL))
        k->now.temporary++;
}

#endif
