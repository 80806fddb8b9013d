/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decompresses sections. The libraries (zlib, zstd, liblzma) are loaded when first
 * needed, so that programs usually start without them. Ordinary process context; any
 * number of threads.
 */
#ifndef ERTOOLS_ARCHIVE_ELF_INFLATE_H
#define ERTOOLS_ARCHIVE_ELF_INFLATE_H

#include "archive/object/cursor.h"

/*
 * Decompresses `in` into new memory, which the caller frees with free(). `size` is the
 * size that the section's header gives. 0; -ENOTSUP: the library is not installed;
 * -EINVAL: the data are malformed; -EFBIG: the result would be unreasonably large;
 * -ENOMEM.
 */
int inflate_zlib(struct bytes *out, struct bytes in, u64 size);
int inflate_zstd(struct bytes *out, struct bytes in, u64 size);

/* Decompresses an .xz stream, of unknown size when decompressed. Errors as above. */
int inflate_xz(struct bytes *out, struct bytes in);

#endif
