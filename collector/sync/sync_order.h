/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The orders in which threads acquire locks. A fixed table holds what was recorded
 * already: one word (a hash) for each combination of a thread, the locks that it holds,
 * and the lock that it asks for. Contexts as in trace.h.
 */
#ifndef ERTOOLS_COLLECTOR_SYNC_SYNC_ORDER_H
#define ERTOOLS_COLLECTOR_SYNC_SYNC_ORDER_H

#include "collector/sync/sync_thread.h"
#include "collector/hook/trace.h"

/* 1 = nothing to record: self holds no other lock, or the table has this order. */
int sync_order_known(const struct sync_thread *self, u64 object);

/*
 * self asks for object: record which locks self holds, if this order is not in the
 * table. After many records, only orders for which the table has room.
 */
void sync_order(struct sync_thread *self, u64 object, u32 kind,
                const struct walk_start *start);

/* Mark the object: a record names it. See sync_order_renew(). */
void sync_order_name(u64 object);

/*
 * The object is initialized or destroyed. 1 = records have named it, or one with the
 * same hash: the caller must write a record `renew`, so that the next object at this
 * address is taken for another one.
 */
int sync_order_renew(u64 object);

#endif
