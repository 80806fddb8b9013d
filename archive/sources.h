/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the source files that an experiment's line tables and Python functions name:
 * archives/src/<hash of path>, and archives/src/index, which says which is which.
 * Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_SOURCES_H
#define ERTOOLS_ARCHIVE_SOURCES_H

#include "archive/archive.h"

/*
 * Copies what can be read: regular files of at most 16 MiB, 1 GiB in all. Sources that
 * are not on this machine are passed over in silence.
 */
void sources_copy(struct archive *a);

/* Removes what one that was killed has left there; archives: that directory. */
void sources_clean(int archives);

#endif
