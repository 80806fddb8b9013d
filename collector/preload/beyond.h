/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execs of programs that cannot load the collector, by this process or a child: the
 * launcher samples them from outside, or it is logged that they are not recorded. Any
 * context in which exec may be called: a signal handler, a vfork child. Keeps errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_BEYOND_H
#define ERTOOLS_COLLECTOR_PRELOAD_BEYOND_H

#include <sys/types.h>

/*
 * Can a program that does not load the collector for this reason, which
 * exec_check_refuses() has returned, be sampled from outside?
 */
int beyond_is_walked(const char *reason);

/*
 * The process is about to become `program`, which will be sampled from outside, and has
 * closed its own recording. When this returns, the launcher expects the exec, or the
 * log says that the program is not recorded.
 */
void beyond_exec(const char *program, const char *reason);

/*
 * Call when an exec has failed for which beyond_exec() was called: the launcher then no
 * longer expects it.
 */
void beyond_failed(void);

/* posix_spawn() has created this child, which runs `program`. */
void beyond_spawned(pid_t child, const char *program, const char *reason);

#endif
