/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object for formats that know names of functions and no addresses: each name is a
 * function of some bytes, whose object file comes with the experiment. Ordinary process
 * context.
 */
#ifndef ERTOOLS_IMPORT_NAMES_H
#define ERTOOLS_IMPORT_NAMES_H

#include "import/import.h"

/* The pc that stands for a name, for import_node() with NODE_EXACT; 0 = no memory. */
u64 names_pc(struct import *im, const char *name, size_t len);

/* That object as one of the process's. */
u32 names_object(struct import *im, u32 process);

/* Give the object its key, once all names are there. */
void names_settle(struct import *im);

/* Write archives/KEY.ero in the directory of an experiment. 0 or -errno. */
int names_describe(const struct import *im, int dir);

#endif
