/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls made past libc's own functions, by syscall(): processes and programs.
 * Any context in which these may be called.
 */
#ifndef ERTOOLS_COLLECTOR_HOOK_RAW_H
#define ERTOOLS_COLLECTOR_HOOK_RAW_H

/* What to call instead of syscall(number, a, b, ...); NULL = syscall() itself. */
void *raw_instead(long number, long a, long b);

#endif
