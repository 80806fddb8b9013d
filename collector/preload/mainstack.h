/* SPDX-License-Identifier: Apache-2.0 */
/* Where the first thread's stack is. Normal context of that thread. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MAINSTACK_H
#define ERTOOLS_COLLECTOR_PRELOAD_MAINSTACK_H

#include "share/types.h"

/* [*lo, *hi), as far down as it may grow; 0, 0 = unknown. */
void mainstack_find(u64 *lo, u64 *hi);

/*
 * The top by the name of the executed file, which the kernel puts there (execve(2),
 * AT_EXECFN), below a word of its own; 0 where it is not so. A look at /proc/self/maps
 * costs as much as a tenth of a short program.
 */
u64 mainstack_top(const char *execfn);

/* What the stack pointer was at the process's first instruction; 0 = unknown. */
u64 mainstack_entry(void);

#endif
