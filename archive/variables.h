/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the variables of an ELF file. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_VARIABLES_H
#define ERTOOLS_ARCHIVE_VARIABLES_H

#include "archive/image.h"
#include "archive/objwrite.h"

/*
 * Add the variables and constants, which are in sections without code, from the symbol
 * table of that type (SHT_*), to the table OBJ_var. Call variables_sort() when all have
 * been added.
 */
void variables_read(struct objwrite *w, struct image *img, u32 type);
void variables_sort(struct objwrite *w);

#endif
