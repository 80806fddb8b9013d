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

/*
 * Code that was entered by a jump, as an interpreter enters what its compiler made, has
 * the frame of the function that jumped: one distance to one return address, whichever
 * piece runs. Where nothing else finds the caller, the same address at the same
 * distance is it. rule: of kind RULE_SP; ra: a return address in an object.
 */
void maderule_learn(u64 rule, u64 ra);

/* A rule by which a return address that was learnt with it is there; 0 = none. */
u64 maderule_recall(struct mem *m, u64 sp);

#endif
