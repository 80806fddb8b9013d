/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompresses files that are compressed as a whole. The libraries (zlib, zstd, bzip2)
 * are loaded when they are needed. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_UNPACK_H
#define ERTOOLS_IMPORT_UNPACK_H

#include "import/import.h"

enum {
    UNPACK_TIMES = 200, /* limit: a file may grow by this factor, and 1 MiB more */
};

struct unpacked {
    struct bytes bytes;
    void *heap; /* NULL = it was not compressed */
};

/*
 * Decompresses a file; one that is not compressed in this way is returned unchanged. 0
 * and *out for unpack_free(); -EBADMSG and im->why; -ENOMEM.
 */
int unpack_gzip(struct import *im, struct bytes file, struct unpacked *out);
int unpack_zlib(struct import *im, struct bytes file, struct unpacked *out);
int unpack_bzip2(struct import *im, struct bytes file, struct unpacked *out);
int unpack_zstd(struct import *im, struct bytes file, struct unpacked *out);
void unpack_free(struct unpacked *u);

#endif
