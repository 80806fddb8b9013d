/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code made at run time to which an interpreter written in assembly jumps, such as
 * LuaJIT's. Such code uses the interpreter's frame, which it may have enlarged. Runs in
 * signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_JUMPED_H
#define ERTOOLS_COLLECTOR_SIG_JUMPED_H

#include "collector/sig/mem.h"
#include "share/types.h"

/* The rule for such code with this stack pointer, of kind RULE_SP; 0 = none. */
u64 jumped_rule(struct mem *m, u64 sp);

#endif
