/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What recording does without once the target has restricted its own system calls. A
 * call that a filter kills for must not be made any more; what needs none goes on:
 * gate_limited and gate_no_pid in sig/gate.h, and their like.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_LIMIT_H
#define ERTOOLS_COLLECTOR_PRELOAD_LIMIT_H

#include <linux/filter.h>

#include "share/types.h"

/* The target is about to set this filter, or strict mode where it is NULL. */
void limit_by_filter(const struct sock_fprog *program);

/* The target is about to forbid itself the TSC. */
void limit_clock(void);

#endif
