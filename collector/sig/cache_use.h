/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Since when the caches of rules and nodes may have entries for an object: as numbers
 * in the ring of recent.h, so that what goes can be removed without a search
 * (loaded.h). cache_use_mark() and cache_use_saw_unknown() run in signal handlers of
 * any thread; the rest is for the writer of objtab.h, in normal context. No locks.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CACHE_USE_H
#define ERTOOLS_COLLECTOR_SIG_CACHE_USE_H

#include "share/types.h"

struct recent_gone;

/*
 * Call before a cache gets an entry for this object, or for a pc in no object (instance
 * 0).
 */
void cache_use_mark(u32 instance, u64 pc);

/* 1 if cache_use_mark() was ever called for a pc in no object. */
int cache_use_saw_unknown(void);

/*
 * The number in the ring from which on there may be entries for what lay in [lo, hi)
 * before the last objtab_rewrite(); ~0 = there are none.
 */
u64 cache_use_since(u64 lo, u64 hi);

/* As cache_use_since(), but for code that was in no object. */
u64 cache_use_since_unknown(const struct recent_gone *gone);

/* Record that nothing is cached any more for the objects that were in [lo, hi). */
void cache_use_close(u64 lo, u64 hi);

/*
 * As cache_use_close(), but for code in no object: nothing is cached from before `end`.
 * From there on, other threads may have added entries.
 */
void cache_use_close_unknown(const struct recent_gone *gone, u64 end);

/*
 * The instance is loaded again. 1 with the numbers [*from, *end) of the entries from
 * before it was unloaded, once; 0 = there are none.
 */
int cache_use_reopen(u32 instance, u64 *from, u64 *end);

#endif
