/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table that Go's runtime keeps of a program's functions (.gopclntab), from Go 1.16
 * on: names, extents and lines, which stripped programs have, too. Ordinary process
 * context. Calls that are inlined are not read: their lines count for the function that
 * they are in.
 */
#ifndef ERTOOLS_ARCHIVE_GOTAB_H
#define ERTOOLS_ARCHIVE_GOTAB_H

#include "archive/image.h"
#include "archive/symbols.h"

/*
 * Add the functions to s, unless that is NULL, and the lines to w, unless that is NULL.
 * The image must outlive both. An image without such a table, or with one of another
 * form, adds nothing; what is malformed is left out, with a note in `notes`.
 */
void gotab_read(struct image *img, struct symbols *s, struct objwrite *w,
                struct objwrite *notes);

#endif
