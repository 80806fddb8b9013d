/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for frames of methods that HotSpot has compiled, and of its stubs. They are in
 * the same cache as the rules of native code (rule.h); those of a method only from the
 * machine's report that it was compiled until its report that it is unloaded.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_RULE_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_RULE_H

#include "collector/sig/hotspot.h"
#include "share/types.h"

/*
 * Call when the machine reports that a method was compiled, or is unloaded. Normal
 * context, any thread. [code, end): the method's code.
 */
void hotspot_rule_begin(u64 code, u64 end);
void hotspot_rule_end(u64 code);

/* The machine will not report any more which methods are unloaded. */
void hotspot_rule_end_all(void);

/* Call before a step. Returns `seen` for hotspot_rule_keep(). Signal handlers. */
u32 hotspot_rule_now(void);

/*
 * Cache the rule that a step from this pc has found, if any; not if the machine has not
 * reported the rule's method, or if a method with rules was unloaded since `seen`.
 * Signal handlers.
 */
void hotspot_rule_keep(u64 pc, const struct hotspot_frame *frame, u32 seen);

#endif
