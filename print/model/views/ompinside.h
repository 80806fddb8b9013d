/* SPDX-License-Identifier: Apache-2.0 */
/* Finds programs into which an OpenMP runtime is linked. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_OMPINSIDE_H
#define ERTOOLS_PRINT_MODEL_VIEWS_OMPINSIDE_H

#include "print/model/views/view.h"

/*
 * If a function in the rows belongs to an OpenMP runtime that is linked into a program,
 * the name of that load object, which the session owns: the collector cannot see the
 * parallel regions of that runtime. Else NULL.
 */
const char *ompinside_object(struct session *session, const struct rows *rows);

/* Like ompinside_object(), for the functions of the session. 0 and *name, or -errno. */
int ompinside_find(struct session *session, const char **name);

#endif
