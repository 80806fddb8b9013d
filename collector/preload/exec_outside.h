/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execs of programs that cannot load the collector, by this process or a child: the
 * launcher samples them from outside, or it is logged that they are not recorded. Any
 * context in which exec may be called: a signal handler, a vfork child. Keeps errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_EXEC_OUTSIDE_H
#define ERTOOLS_COLLECTOR_PRELOAD_EXEC_OUTSIDE_H

#include <sys/types.h>

/*
 * Can a program that does not load the collector for this reason, which
 * exec_check_refuses() has returned, be sampled from outside?
 */
int exec_outside_is_walked(const char *reason);

/*
 * Log that this program, which this process or a child executes, is not recorded. Does
 * nothing while the gate is shut.
 */
void exec_outside_lost(const char *program, const char *reason);

/*
 * This process, or a vfork child of it, is about to become `program`: ask the launcher
 * to sample it from outside. recording_close() was called before. When this returns,
 * the launcher expects the exec, or the log says that the program is not recorded.
 */
void exec_outside_exec(const char *program, const char *reason);

/*
 * Call when an exec has failed for which exec_outside_exec() was called, so that the
 * launcher no longer expects it.
 */
void exec_outside_failed(void);

/*
 * posix_spawn() has created this child, which runs `program`: ask the launcher to
 * sample it from outside, or log that it is not recorded.
 */
void exec_outside_spawned(pid_t child, const char *program, const char *reason);

#endif
