/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds files that are installed beside this program, or built with it. Ordinary
 * process context.
 */
#ifndef ERTOOLS_SHARE_BESIDE_H
#define ERTOOLS_SHARE_BESIDE_H

#include <limits.h>

/*
 * Get the path of a file that is relative to the directory of the running program;
 * format gives the relative path. Does not check that the file exists. 0; -errno if the
 * directory is not known; -ENAMETOOLONG.
 */
int beside_path(char path[PATH_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
