/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The seccomp filters of a running process: do they permit the calls that attaching
 * needs? The kernel shows them to a tracer that has CAP_SYS_ADMIN and no filter itself.
 * Normal context of the launcher.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_SANDBOX_H
#define ERTOOLS_COLLECTOR_ATTACH_SANDBOX_H

#include "collector/attach/attach.h"

/*
 * Look at the filters of all threads. 1: some filter forbids calls for these uses (enum
 * filter_use), or cannot be read; a->sandbox then has the reason as a sentence about
 * the process ("it"). Else 0. Each thread with a filter is stopped for a moment, to
 * read the filter.
 */
int sandbox_forbids(struct attach *a, u32 uses);

#endif
