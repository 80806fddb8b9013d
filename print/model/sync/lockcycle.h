/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles in a graph of lock order. For the model's own use; see deadlocks.h. */
#ifndef ERTOOLS_PRINT_MODEL_SYNC_LOCKCYCLE_H
#define ERTOOLS_PRINT_MODEL_SYNC_LOCKCYCLE_H

#include "print/model/sync/lockorder.h"

struct lock_cycle {
    u32 first; /* index of its first edge in lock_cycles.edge */
    u32 count; /* edges, each beginning where the one before ends */
};

struct lock_cycles {
    struct lock_cycle *cycle;
    u32 count;
    u32 room;
    u32 *edge; /* numbers of edges */
    u32 edges;
    u32 edge_room;
    bool more; /* there are more cycles than were searched for */
};

/*
 * For each edge that is on any cycle, find a shortest cycle through it. Duplicates are
 * dropped. So every edge that is on a cycle is in some cycle of the result, unless
 * out->more. 0 and *out for lockcycle_free(), or -ENOMEM.
 */
int lockcycle_find(const struct lock_order *order, struct lock_cycles *out);
void lockcycle_free(struct lock_cycles *cycles);

#endif
