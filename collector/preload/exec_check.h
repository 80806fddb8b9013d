/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells whether a program that is about to be executed can load the collector. If it
 * cannot, it is not given our variables: its loader would print an error, or the
 * program would pass them on to others. Any context in which exec may be called: a
 * signal handler, a vfork child. Keeps errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_EXEC_CHECK_H
#define ERTOOLS_COLLECTOR_PRELOAD_EXEC_CHECK_H

/*
 * NULL, or the reason why the program will not load the collector, as part of a
 * sentence. dir, path and flags are as in execveat(2). NULL also if nothing can be
 * found out.
 */
const char *exec_check_refuses(int dir, const char *path, int flags);

/*
 * As exec_check_refuses(), for a name that is searched for in PATH, as execvp(3) does.
 */
const char *exec_check_refuses_name(const char *name);

/*
 * 1 = path is empty, and the file is the descriptor itself: AT_EMPTY_PATH of
 * execveat(2).
 */
int exec_check_is_descriptor(const char *path, int flags);

#endif
