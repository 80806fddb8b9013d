/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a probe was hit: the signal arrives after the probed instruction was executed,
 * which may have left the function. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_PROBE_H
#define ERTOOLS_COLLECTOR_SIG_PROBE_H

#include <ucontext.h>

#include "share/types.h"

/*
 * If uc is not the context at the probe, set *out to the context before the instruction
 * at pc, and return 1; 0: uc can be used as it is, and *out is not set. pc: the place
 * of the probe that was just hit, or the return address of a function with a return
 * probe.
 */
int probe_context(ucontext_t *out, const ucontext_t *uc, u64 pc);

#endif
