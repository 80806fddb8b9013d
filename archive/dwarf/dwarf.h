/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads from DWARF the lines, functions and inlined calls of a load object. Ordinary
 * process context.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWARF_H
#define ERTOOLS_ARCHIVE_DWARF_DWARF_H

#include "archive/dwarf/dwinfo.h"
#include "archive/elf/symbols.h"

/* What dwarf_read() is to read, and for which object. */
struct dwarf_request {
    struct objwrite *w;
    const struct codemap *code;
    struct image *img;     /* the file with the DWARF sections */
    struct image *alt;     /* the alternate file that `img` refers to, or NULL */
    const char *object;    /* path of the load object */
    struct symbols *symbols; /* settled; gets functions for them, and more symbols */
};

/*
 * Appends lines, functions, inlined calls and files to the writer's tables. A symbol
 * that starts where a function does gets that function's row; a function whose start no
 * symbol covers becomes a symbol. 0 or -ENOMEM; what cannot be read is noted.
 */
int dwarf_read(const struct dwarf_request *r);

#endif
