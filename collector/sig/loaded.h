/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects come and go: changes the table of objtab.h, and with it the caches. For
 * normal context, one writer at a time (the caller serialises); handlers run beside it.
 *
 * When a range is removed, or an unknown range becomes known, its rules and cached
 * nodes are flushed and the generation is incremented, so that no thread reuses its
 * last walk. If the removed object was in no stack, all this is skipped; otherwise the
 * cost is proportional to the entries that the caches got since the object was first
 * seen (cache_use.h). An object that is loaded again at its base with the same instance
 * id gets its nodes back.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_LOADED_H
#define ERTOOLS_COLLECTOR_SIG_LOADED_H

#include "collector/sig/objtab.h"
#include "share/types.h"

/*
 * Add a range; what it overlaps is removed first. If the same object is there already,
 * nothing is done. 0, -EINVAL (empty range, above user space), -ENOMEM.
 */
int loaded_add(const struct objtab_object *object);

/*
 * Remove [lo, hi) from the ranges of this instance, which may split one in two. 0, also
 * if it has nothing there; -ENOMEM.
 */
int loaded_remove(u64 lo, u64 hi, u32 instance);

#endif
