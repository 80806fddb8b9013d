/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of rules for code made at run time, found by guess_ahead() or jumped_rule(),
 * which are too slow for every walk. Nothing reports when such code is removed, so the
 * key of a rule is made of the bytes around its pc: if they change, the rule is not
 * found. Rules by announced CFI are here, too, under other keys (step.c). Runs in
 * signal handlers of any thread at once; no locks, as in rule.h; an entry may be lost.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_MADERULE_H
#define ERTOOLS_COLLECTOR_SIG_MADERULE_H

#include "collector/sig/mem.h"
#include "share/types.h"

/* The key of the code around pc; 0: it cannot be read. */
u64 maderule_key(struct mem *m, u64 pc, u32 exact);

/* The rule that was put for a key, 0 = none. */
u64 maderule_find(u64 key);
void maderule_put(u64 key, u64 rule);

/*
 * Code that was entered by a jump, as an interpreter enters compiled code, uses the
 * frame of the function that jumped. So all such code has the same return address at
 * the same distance from sp. If nothing else finds the caller, maderule_recall() looks
 * for that address there. rule: of kind RULE_SP; ra: a return address in an object.
 */
void maderule_learn(u64 rule, u64 ra);

/* A learnt rule whose return address is on the stack where the rule says; 0 = none. */
u64 maderule_recall(struct mem *m, u64 sp);

#endif
