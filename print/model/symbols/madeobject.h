/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load object that stands for all code that a process made at run time, with names,
 * lines, inlined calls and bytes as the process reported them. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_MADEOBJECT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_MADEOBJECT_H

#include "archive/object/objwrite.h"
#include "print/load/experiment.h"

#define MADEOBJECT_PATH "<jit>"

/*
 * Make an archive, in memory, of the functions in the experiment's `made`. A function's
 * address in it is its `vaddr`. If it cannot be written, that is reported, and *file is
 * NULL: the object has no functions. 0 or -ENOMEM.
 */
int madeobject_make(struct experiment *experiment, struct objfile **file);

/*
 * Write an object to memory and open it there as an archive. path: the name of the
 * object. 0 and *file, or -errno.
 */
int madeobject_reopen(struct objwrite *w, const char *path, struct objfile **file);

#endif
