/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes load objects for formats that have names of files and addresses of mappings.
 * Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_IMAGE_H
#define ERTOOLS_IMPORT_IMAGE_H

#include "import/import.h"

struct import_image {
    const char *name;    /* path */
    const char *copy;    /* path of a copy of the same file; NULL = none */
    const char *buildid; /* "" = not known: then the file at the path is used if its
                            inode, size and mtime equal those that are known */
    u64 start, end;      /* addresses */
    u64 offset;          /* in the file, of the byte at `start` */
    u64 time;            /* ns: when it was mapped */
    u64 inode;           /* 0 = not known, as with fsize and mtime */
    u64 fsize;           /* bytes */
    u64 mtime;           /* seconds */
    bool main;           /* it is the program of the process */
};

/*
 * Add an object to the process. Returns its number, 0 = no memory. The strings must
 * live as long as the import.
 */
u32 import_image(struct import *im, u32 process, const struct import_image *image);

#endif
