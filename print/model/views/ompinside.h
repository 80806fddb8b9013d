/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that have an OpenMP runtime linked into them. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_OMPINSIDE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_OMPINSIDE_H

#include "print/model/views/view.h"

/*
 * The name of a load object that has such a runtime in it, if one of the rows, which
 * are functions, is of that runtime: the collector cannot see its regions. NULL = there
 * is none. The name is the session's.
 */
const char *ompinside_object(struct session *session, const struct rows *rows);

/* The same of the session's functions; 0 and *name, or -errno. */
int ompinside_find(struct session *session, const char **name);

#endif
