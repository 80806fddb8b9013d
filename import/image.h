/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects that a format names with the addresses at which they were mapped.
 * Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_IMAGE_H
#define ERTOOLS_IMPORT_IMAGE_H

#include "import/import.h"

struct import_image {
    const char *name;    /* path */
    const char *copy;    /* of that very file; NULL = none */
    const char *buildid; /* "" = not known: then the file at the path is taken if none
                            of what is known of it differs */
    u64 start, end;      /* addresses */
    u64 offset;          /* in the file, of `start` */
    u64 time;
    u64 inode;           /* 0 = not known, and so on */
    u64 fsize;
    u64 mtime;           /* seconds */
    bool main;
};

/* One more object of the process; the strings must live as long as the import. */
u32 import_image(struct import *im, u32 process, const struct import_image *image);

#endif
