/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules of code that was made at run time, where only a look ahead through the code
 * finds the caller (guess_ahead()), which takes too long for every walk. Nobody says
 * when such code goes: a rule is kept with the bytes around its pc, and is void when
 * these have changed. Signal handlers of any thread at once; no locks, as in
 * rule.h; an entry may be lost.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_MADERULE_H
#define ERTOOLS_COLLECTOR_SIG_MADERULE_H

#include "collector/sig/mem.h"
#include "share/types.h"

/* What the code around pc is known by; 0: it cannot be read. */
u64 maderule_key(struct mem *m, u64 pc, u32 exact);

/* The rule that was kept for a key, 0 = none. */
u64 maderule_find(u64 key);
void maderule_put(u64 key, u64 rule);

#endif
