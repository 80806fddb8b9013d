/* SPDX-License-Identifier: Apache-2.0 */
/*
 * archives/index.xml: the state of each load object, with the warnings that er_print
 * repeats. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_INDEX_H
#define ERTOOLS_ARCHIVE_INDEX_H

#include "archive/archiving.h"

/* Writes the index, replacing an older one. 0 or -errno. */
int index_write(const struct archive *a);

#endif
