/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the types of functions that -T names without a type: those of a library without
 * a table, or those given by name alone. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_CALLFIND_H
#define ERTOOLS_LAUNCH_CALLFIND_H

#include <sys/types.h>

/*
 * Add the types to the rows of calls_add() for a program, and warn where no type is
 * known. Libraries are searched for among those that the program is linked with, or
 * that a process has loaded (pid; 0 = none), in the loader's usual directories, or by
 * their paths. Types come from tables, else from debug information. *out is malloc'd.
 * 0; -ENOENT after a message: a library was not found or cannot be read; -ENOMEM.
 */
int callfind_complete(const char *rows, const char *program, pid_t pid, char **out);

#endif
