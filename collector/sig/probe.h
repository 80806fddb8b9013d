/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a probe was hit: the signal comes when the kernel has done the instruction that
 * the probe stands at, which may have left the function. Handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_PROBE_H
#define ERTOOLS_COLLECTOR_SIG_PROBE_H

#include <ucontext.h>

#include "share/types.h"

/*
 * Set *out to what uc was at pc, the place of a probe that was just hit, or the one
 * that a function with a probe returns to. 1; or 0: uc is good enough, and *out is not
 * set.
 */
int probe_context(ucontext_t *out, const ucontext_t *uc, u64 pc);

#endif
