/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects that an experiment's map.xml names. Ordinary process context.
 *
 * The collector writes whole lines, one element each; the end may be missing while it
 * still runs or after a crash. Nothing in the file is trusted: no entities but the five
 * of XML and character numbers, no document types.
 */
#ifndef ERTOOLS_ARCHIVE_MAPXML_H
#define ERTOOLS_ARCHIVE_MAPXML_H

#include <stddef.h>

#include "share/types.h"

/* Attributes of one <object>; "" where missing. */
struct mapxml_object {
    const char *kind;
    const char *name;
    const char *buildid;
    const char *dev;
    const char *inode;
    const char *fsize;
    const char *mtime;
    const char *flags;
};

struct mapxml {
    struct mapxml_object *objects;
    u32 count;
    u32 capacity;
    char *text;     /* what the strings point into */
    u32 malformed;  /* elements that could not be understood */
    size_t bad_at;  /* offset of the first of them */
};

/*
 * Reads map.xml of the experiment whose directory is `expdir`. Malformed elements are
 * left out and counted. 0; -EINVAL: it is not such a file; else -errno. To be freed.
 */
int mapxml_read(struct mapxml *map, int expdir);

void mapxml_free(struct mapxml *map);

#endif
