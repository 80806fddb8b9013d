/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects in an experiment's map.xml. Ordinary process context. The collector
 * writes whole lines, each with one element; the end of the file may be missing during
 * a run or after a crash. Nothing in the file is trusted: only the five entities of XML
 * and character numbers are decoded, and a file with a document type is refused.
 */
#ifndef ERTOOLS_ARCHIVE_MAPXML_H
#define ERTOOLS_ARCHIVE_MAPXML_H

#include <stddef.h>

#include "share/types.h"

/* Attributes of one <object>; "" if missing. */
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
    u32 malformed;  /* elements in whole lines that could not be understood */
    size_t bad_at;  /* byte offset of the first of them */
};

/*
 * Reads map.xml of the experiment whose directory is `expdir`. Malformed elements are
 * skipped and counted. 0; -EINVAL: the file is not a map.xml; else -errno. On success,
 * call mapxml_free() later.
 */
int mapxml_read(struct mapxml *map, int expdir);

void mapxml_free(struct mapxml *map);

#endif
