/* SPDX-License-Identifier: Apache-2.0 */
/* Finds programs into which an OpenMP runtime is linked. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_OMPINSIDE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_OMPINSIDE_H

#include "print/model/views/view.h"

/*
 * Find a function in the rows that belongs to an OpenMP runtime linked into a program;
 * the collector cannot see the parallel regions of such a runtime. Returns the name of
 * its load object, which the session owns; NULL = there is none.
 */
const char *ompinside_object(struct session *session, const struct rows *rows);

/* Like ompinside_object(), for all functions with values. 0 and *name, or -errno. */
int ompinside_find(struct session *session, const char **name);

#endif
