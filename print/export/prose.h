/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences as paragraphs. Ordinary process context. */
#ifndef ERTOOLS_PRINT_EXPORT_PROSE_H
#define ERTOOLS_PRINT_EXPORT_PROSE_H

#include "print/export/export.h"

/*
 * A table of LAYOUT_PROSE: of each row the heading (left out where it is the same as
 * above), the sentence, and what stands in brackets behind it: the first three columns
 * that text shows. Lines end at the screen's width, or at 80 columns.
 */
void prose_put(const struct table *t, const struct export_form *form, FILE *f);

#endif
