/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of an open file, in memory. Ordinary process context. */
#ifndef ERTOOLS_SHARE_READFILE_H
#define ERTOOLS_SHARE_READFILE_H

#include <stddef.h>

#include "share/types.h"

/*
 * Sets *text, to be freed, with a zero behind it, and *size, which does not count that.
 * 0, -EFBIG: the file has more than `most` bytes, -ENOMEM, or -errno.
 *
 * plain: as many bytes as the file has at first, from its beginning; fewer if it
 * becomes shorter meanwhile. -EINVAL: it is a directory, a pipe, or the like.
 * stream: what can be read until the end, also of a pipe or of a file of /proc.
 */
int readfile_plain(int fd, u64 most, char **text, size_t *size);
int readfile_stream(int fd, u64 most, char **text, size_t *size);

/*
 * The beginning of the file of that path, as much as fits into text with a zero behind
 * it; "" if it cannot be read. Returns its length.
 */
size_t readfile_head(const char *path, char *text, size_t size);

#endif
