/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the table of functions that Go's runtime has in each program (.gopclntab), from
 * Go 1.16 on: names, extents and lines. Stripped programs have it, too. Ordinary
 * process context. Inlined calls are not read: their lines count for the function that
 * contains them.
 */
#ifndef ERTOOLS_ARCHIVE_ELF_GOTAB_H
#define ERTOOLS_ARCHIVE_ELF_GOTAB_H

#include "archive/elf/image.h"
#include "archive/elf/symbols.h"

/*
 * Adds the functions to s and the lines to w; either may be NULL. The image must
 * outlive both. Nothing is added if the image has no such table, or one with an unknown
 * layout. Malformed parts are left out, and that is noted in `notes`.
 */
void gotab_read(struct image *img, struct symbols *s, struct objwrite *w,
                struct objwrite *notes);

#endif
