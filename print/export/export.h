/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a view: one function per row of exports.def. Ordinary process context. They
 * only write; errors are found by ferror(f).
 */
#ifndef ERTOOLS_PRINT_EXPORT_EXPORT_H
#define ERTOOLS_PRINT_EXPORT_EXPORT_H

#include <stdio.h>

#include "print/cmd/table.h"

/* separator: the character between values, for those that need one. */
typedef void export_fn(const struct table *t, char separator, FILE *f);

#define ER_EXPORT(name, doc) export_fn export_##name;
#include "print/exports.def"
#undef ER_EXPORT

#endif
