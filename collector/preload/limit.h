/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What recording gives up when the target restricts its own system calls. A call for
 * which the filter would kill the process must not be made any more; recording that
 * needs no such call goes on. See gate_limited and gate_no_pid in sig/gate.h.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_LIMIT_H
#define ERTOOLS_COLLECTOR_PRELOAD_LIMIT_H

#include <linux/filter.h>

#include "share/types.h"

/*
 * The target is about to set this seccomp filter: make no more calls that it forbids,
 * or end recording if that needs them. NULL: treat all calls as forbidden (strict
 * mode).
 */
void limit_by_filter(const struct sock_fprog *program);

/*
 * The target is about to disable reading the TSC for itself (PR_SET_TSC): change to
 * another clock, or shut the gate if there is none.
 */
void limit_clock(void);

#endif
