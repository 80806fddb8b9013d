/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a load object to its description: opens what belongs to it and fills the tables
 * of an object file. Ordinary process context; any number of threads, one for each
 * description.
 */
#ifndef ERTOOLS_ARCHIVE_DESCRIBE_H
#define ERTOOLS_ARCHIVE_DESCRIBE_H

#include "archive/image.h"
#include "archive/objwrite.h"

struct description {
    struct objwrite tables;
    struct image *img;   /* borrowed; its code bytes are saved from where they lie */
    struct image debug;  /* separate debug file, if any */
    struct image mini;
    struct image alt;
    bool has_debug, has_mini, has_alt;
};

/*
 * Describes `img`, which must stay open until describe_free(). 0; -ENODATA: it has no
 * code; -ENOMEM. What could not be read is in the notes.
 */
int describe(struct description *d, struct image *img);

/* Whether a file has DWARF sections. */
bool describe_has_dwarf(struct image *img);

/* Writes the object file. 0 or -errno. */
int describe_save(struct description *d, int fd);

void describe_free(struct description *d);

#endif
