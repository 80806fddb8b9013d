/* SPDX-License-Identifier: Apache-2.0 */
/* Where the first thread's stack is. Normal context of that thread. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MAINSTACK_H
#define ERTOOLS_COLLECTOR_PRELOAD_MAINSTACK_H

#include "share/types.h"

/*
 * Find the stack: it is [*lo, *hi), where *lo is the lowest address to which it may
 * grow; 0, 0 = unknown.
 */
void mainstack_find(u64 *lo, u64 *hi);

/*
 * The top of the stack, found by the name of the executed file (AT_EXECFN), which the
 * kernel puts right below the last word. 0 if the name is not there. This avoids
 * reading /proc/self/maps, which would take a tenth of the time of a short program.
 */
u64 mainstack_top(const char *execfn);

/* The stack pointer at the process's first instruction; 0 = unknown. */
u64 mainstack_entry(void);

#endif
