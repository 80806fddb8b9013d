/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of functions that -T names without one: of a library without a table, or
 * by a bare name. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_CALLFIND_H
#define ERTOOLS_LAUNCH_CALLFIND_H

/*
 * Complete the rows of calls_add() for a program, and say where no types are known.
 * Libraries are found among those that the program is linked with, in the loader's
 * usual directories, or by their paths; types in tables, else in debug information.
 * *out is malloc'd. 0; -ENOENT: a library was not found or cannot be read, which is
 * said; -ENOMEM.
 */
int callfind_complete(const char *rows, const char *program, char **out);

#endif
