/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences as paragraphs. Ordinary process context. */
#ifndef ERTOOLS_PRINT_EXPORT_PROSE_H
#define ERTOOLS_PRINT_EXPORT_PROSE_H

#include "print/export/export.h"

/*
 * Writes a table of LAYOUT_PROSE. For each row: the heading, unless it is the same as
 * before; the sentence; and in brackets what follows it. These are the first three
 * columns that are shown as text. Lines end at the screen's width, or at 80 columns.
 */
void prose_put(const struct table *t, const struct export_form *form, FILE *f);

#endif
