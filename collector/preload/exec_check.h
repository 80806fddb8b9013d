/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a program that is about to be executed can load the collector. One that
 * cannot does not inherit our variables: its loader would complain, or pass them on.
 * Any context in which exec may be called: a signal handler, a vfork child. Keeps
 * errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_EXEC_CHECK_H
#define ERTOOLS_COLLECTOR_PRELOAD_EXEC_CHECK_H

/*
 * NULL, or why the program will not load the collector: part of a sentence. dir, path
 * and flags are as in execveat(2). If that cannot be found out, NULL.
 */
const char *exec_check_refuses(int dir, const char *path, int flags);

/* The same of a name that is looked for in PATH, as execvp(3) does. */
const char *exec_check_refuses_name(const char *name);

/* As execveat(2) has it: the file is the descriptor itself, and path empty. */
int exec_check_is_descriptor(const char *path, int flags);

#endif
