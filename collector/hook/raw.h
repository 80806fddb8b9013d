/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks and execs that programs make by syscall() instead of libc's own functions. Any
 * context in which these may be called.
 */
#ifndef ERTOOLS_COLLECTOR_HOOK_RAW_H
#define ERTOOLS_COLLECTOR_HOOK_RAW_H

/*
 * The function to call instead of syscall(number, a, b, ...); NULL = syscall() itself.
 */
void *raw_instead(long number, long a, long b);

#endif
