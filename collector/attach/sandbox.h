/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters of system calls (seccomp) that a running process has: may it be entered? The
 * kernel shows them to a tracer that has CAP_SYS_ADMIN and no filter of its own. Normal
 * context of the launcher.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_SANDBOX_H
#define ERTOOLS_COLLECTOR_ATTACH_SANDBOX_H

#include "collector/attach/attach.h"

/*
 * 1: some thread's filter forbids what we need for these uses (enum filter_use), or is
 * not known; a->sandbox then says so, of "it". Each thread that has a filter is stopped
 * for a moment, to ask for it. Else 0.
 */
int sandbox_forbids(struct attach *a, u32 uses);

#endif
