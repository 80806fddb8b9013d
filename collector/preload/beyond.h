/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that this process, or a child of its, becomes and that cannot load the
 * collector: the launcher samples them from outside, or their loss is logged. Any
 * context in which exec may be called: a signal handler, a child that shares its
 * parent's memory. Keeps errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_BEYOND_H
#define ERTOOLS_COLLECTOR_PRELOAD_BEYOND_H

#include <sys/types.h>

/* Can a program be sampled that does not load the collector for this reason? */
int beyond_is_walked(const char *reason);

/*
 * The process is about to become `program`, which is walked, and has closed its own
 * recording. When this returns, the launcher waits for the exec, or the loss is logged.
 */
void beyond_exec(const char *program, const char *reason);

/* An exec has failed: if the launcher waits for it, it is not to. */
void beyond_failed(void);

/* posix_spawn() has made this child, which is `program`. */
void beyond_spawned(pid_t child, const char *program, const char *reason);

#endif
