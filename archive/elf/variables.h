/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the variables of an ELF file. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_ELF_VARIABLES_H
#define ERTOOLS_ARCHIVE_ELF_VARIABLES_H

#include "archive/elf/image.h"
#include "archive/object/objwrite.h"

/*
 * variables_read(): add the variables and constants that have a size and are in
 * sections without code, from the symbol table of that type (SHT_*), to the table
 * OBJ_var. variables_sort(): sort the table and keep one variable for each address;
 * call it when all have been added.
 */
void variables_read(struct objwrite *w, struct image *img, u32 type);
void variables_sort(struct objwrite *w);

#endif
