/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of functions' types that come with collect. Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_LAUNCH_CALLTABLES_H
#define ERTOOLS_LAUNCH_CALLTABLES_H

#include <limits.h>

/*
 * Find the table of that name, or the table for the library of that name (libz). 1 with
 * path set, or 0.
 */
int calltables_path(const char *name, char path[PATH_MAX]);

/*
 * The row of a function, malloc'd, in the table for a library, or in any table if
 * library is NULL. table: set to that table's name. NULL: there is no such row.
 */
char *calltables_row(const char *library, const char *function,
                     char table[NAME_MAX + 1]);

#endif
