/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects without an experiment: their functions, source and instructions can be
 * shown, without metrics.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_BAREOBJECT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_BAREOBJECT_H

#include "print/model/symbols/function.h"

/*
 * Add an object whose archive is open already. 0 and *object: the session owns the
 * archive; -ENOMEM: the caller still owns it.
 */
int bareobject_add(struct session *session, const char *path, struct objfile *file,
             u32 *object);

/*
 * Get the functions of an object that have code of their own (that are not only
 * inlined), sorted by address. The caller frees *ids. 0 or -ENOMEM.
 */
int bareobject_functions(struct session *session, u32 object, u32 **ids, u32 *count);

#endif
