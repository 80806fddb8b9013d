/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects of which the imported profile brings copies. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_COPIES_H
#define ERTOOLS_IMPORT_COPIES_H

#include "import/import.h"

/*
 * The copy of a file that an archive has as NAME_HASH, NULL if there is none, or more
 * than one. The path lives as long as the import.
 */
const char *copies_find(struct import *im, const char *archives, const char *name);

/*
 * Write archives/KEY.ero in the directory of an experiment for each object that has a
 * copy, unless the file is still where it was. 0 or -errno.
 */
int copies_describe(const struct import *im, int dir);

#endif
