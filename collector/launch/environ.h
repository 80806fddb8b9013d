/* SPDX-License-Identifier: Apache-2.0 */
/* The environment of the target. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_ENVIRON_H
#define ERTOOLS_LAUNCH_ENVIRON_H

#include <limits.h>

#include "share/params.h"

/*
 * Path of one of our libraries: beside collect in a build directory, at its place
 * relative to an installed collect, or where `make install` puts it. 0 or -errno
 * (-ENOENT: it is nowhere).
 */
int environ_library(const char *name, char path[PATH_MAX]);

/* Can path be in LD_PRELOAD, whose entries are separated by blanks and colons? */
int environ_can_preload(const char *path);

/*
 * Make a path to library that can be in LD_PRELOAD: a symbolic link in a directory of
 * this user below top. It is left there, because descendants of the target continue to
 * use it. Returns 0 and sets link, or -errno (-EPERM: the directory is another user's,
 * or others may write to it).
 */
int environ_link(const char *top, const char *library, char link[PATH_MAX]);

/*
 * A copy of old for the target: LD_PRELOAD begins with library, and the variables of
 * share/params.h are set. With library NULL, these variables are removed. Entries of
 * another collect in LD_PRELOAD are replaced. Returns an array in one malloc'd block,
 * or NULL.
 */
char **environ_make(char **old, const char *library, const char *experiment,
                    const struct er_params *params);

#endif
