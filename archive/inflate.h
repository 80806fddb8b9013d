/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompression of sections. The libraries (zlib, zstd, liblzma) are loaded when first
 * needed, so that the common case starts without them. Ordinary process context; any
 * number of threads.
 */
#ifndef ERTOOLS_ARCHIVE_INFLATE_H
#define ERTOOLS_ARCHIVE_INFLATE_H

#include "archive/cursor.h"

/*
 * Decompresses `in` into memory of the caller (free()). `size` is the size that the
 * section's header promises. 0; -ENOTSUP: the library is not installed; -EINVAL: the
 * data are broken; -EFBIG: it would be unreasonably large; -ENOMEM.
 */
int inflate_zlib(struct bytes *out, struct bytes in, u64 size);
int inflate_zstd(struct bytes *out, struct bytes in, u64 size);

/* The same for an .xz stream, which does not promise a size. */
int inflate_xz(struct bytes *out, struct bytes in);

#endif
