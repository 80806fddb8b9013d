/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the file of the target by its name. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_SEARCH_H
#define ERTOOLS_LAUNCH_SEARCH_H

#include <limits.h>

/*
 * Find a program as execvp(3) does: a name with a slash is a path, else the first
 * executable file in the directories of search (the value of PATH; NULL = the system's
 * default). Returns 0 and the path; -ENOENT: not found; -EACCES, -EISDIR, ...: found,
 * but it cannot be executed.
 */
int search_program(const char *name, const char *search, char path[PATH_MAX]);

#endif
