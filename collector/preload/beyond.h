/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execs of programs that cannot load the collector, by this process or a child: the
 * launcher samples them from outside, or it is logged that they are not recorded. Any
 * context in which exec may be called: a signal handler, a vfork child. Keeps errno.
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

/* An exec has failed: tell the launcher, if it waits for it. */
void beyond_failed(void);

/* posix_spawn() has made this child, which is `program`. */
void beyond_spawned(pid_t child, const char *program, const char *reason);

#endif
