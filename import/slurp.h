/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole file as bytes in memory; it may also be a pipe, whose size is not known.
 * Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_SLURP_H
#define ERTOOLS_IMPORT_SLURP_H

#include "archive/object/cursor.h"

struct slurp {
    struct bytes bytes;
    void *map;  /* the mapping of the file; NULL = bytes are in `heap` */
    void *heap;
};

/* Read a file; "-" is standard input. 0 and *out for slurp_close(), or -errno. */
int slurp_open(struct slurp *out, const char *path);
void slurp_close(struct slurp *s);

/*
 * Gives back the memory of a mapping's pages; does nothing for an empty one. The bytes
 * can still be read: the kernel then reads the pages again.
 */
void slurp_forget(struct bytes mapped);

#endif
