/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules for frames of methods that HotSpot has compiled, in the cache that native code
 * has (rule.h). A method's rules are kept only between the machine's report that it was
 * compiled and the one that it goes.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_RULE_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_RULE_H

#include "collector/sig/hotspot.h"
#include "share/types.h"

/* The machine's reports. Normal context, any thread. [code, end): the method's code. */
void hotspot_rule_begin(u64 code, u64 end);
void hotspot_rule_end(u64 code);

/* Before a step: a number for hotspot_rule_keep(). Signal handlers. */
u32 hotspot_rule_now(void);

/* After a step from this pc, which was the piece's since `seen`. Signal handlers. */
void hotspot_rule_keep(u64 pc, const struct hotspot_frame *frame, u32 seen);

#endif
