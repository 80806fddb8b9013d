/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file as bytes in memory; it may have no known size (a pipe). Ordinary process
 * context.
 */
#ifndef ERTOOLS_IMPORT_SLURP_H
#define ERTOOLS_IMPORT_SLURP_H

#include "archive/cursor.h"

struct slurp {
    struct bytes bytes;
    void *map;  /* NULL = on the heap */
    void *heap;
};

/* "-" is standard input. 0 and *out for slurp_close(), or -errno. */
int slurp_open(struct slurp *out, const char *path);
void slurp_close(struct slurp *s);

/*
 * Gives back the memory of a mapping's pages. Its bytes can still be read: the kernel
 * brings the pages back then.
 */
void slurp_forget(struct bytes mapped);

#endif
