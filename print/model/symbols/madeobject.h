/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load object that stands for all code that a process made at run time, with names,
 * lines, inlined calls and bytes as the process reported them. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_MADEOBJECT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_MADEOBJECT_H

#include "archive/objwrite.h"
#include "print/model/session.h"

/*
 * Make an object of the functions in the experiment's `made`. The address of a function
 * in that object is its `vaddr`. 0 or -ENOMEM.
 */
int madeobject_make(struct session *session, u32 experiment, u32 *object);

/* Write the object to memory, and open it there under the name `path`. 0 or -errno. */
int madeobject_reopen(struct objwrite *w, const char *path, struct objfile **file);

#endif
