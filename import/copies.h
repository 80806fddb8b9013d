/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the copies of load objects that an imported profile contains. Ordinary process
 * context.
 */
#ifndef ERTOOLS_IMPORT_COPIES_H
#define ERTOOLS_IMPORT_COPIES_H

#include "import/import.h"

/*
 * The path of the copy of the file `name`: it is NAME_HASH in the directory `archives`,
 * NAME being the last part of the path. NULL if there is none, or more than one.
 */
const char *copies_find(struct import *im, const char *archives, const char *name);

/*
 * Write archives/KEY.ero in the experiment's directory for each object that has a copy,
 * unless the same file is still at its path, where er_archive finds it. 0 or -errno.
 */
int copies_describe(const struct import *im, int dir);

#endif
