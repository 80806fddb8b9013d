/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes a load object: opens the debug files that belong to it and fills the tables
 * of an object file. Ordinary process context; any number of threads, each with its own
 * description.
 */
#ifndef ERTOOLS_ARCHIVE_DESCRIBE_H
#define ERTOOLS_ARCHIVE_DESCRIBE_H

#include "archive/elf/image.h"
#include "archive/object/objwrite.h"

struct description {
    struct objwrite tables;
    struct image *img;   /* borrowed; describe_save() writes code from its mapping */
    struct image debug;  /* separate debug file, if any */
    struct image mini;   /* .gnu_debugdata, if any */
    struct image alt;    /* file that several debug files share, if any */
    bool has_debug, has_mini, has_alt;
};

/*
 * Describes `img`, which must stay open until describe_free(). 0; -ENODATA: it has no
 * code; -ENOMEM. The description's notes say what could not be read.
 */
int describe(struct description *d, struct image *img);

/* Whether a file has .debug_info or .debug_line, or their .zdebug_ form. */
bool describe_has_dwarf(struct image *img);

/* Writes the object file. 0 or -errno. */
int describe_save(struct description *d, int fd);

void describe_free(struct description *d);

#endif
