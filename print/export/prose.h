/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences as paragraphs. Ordinary process context. */
#ifndef ERTOOLS_PRINT_EXPORT_PROSE_H
#define ERTOOLS_PRINT_EXPORT_PROSE_H

#include "print/export/export.h"

/*
 * Writes a table of LAYOUT_PROSE. For each row: the heading, unless it is the same as
 * before; the sentence; and in brackets a command. These are the table's first three
 * columns without COL_DATA_ONLY. Lines end at form->width; at 80 columns, if that is
 * less than 40.
 */
void prose_put(const struct table *t, const struct export_form *form, FILE *f);

#endif
