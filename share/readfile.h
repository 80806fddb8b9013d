/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an open file into memory. Ordinary process context. */
#ifndef ERTOOLS_SHARE_READFILE_H
#define ERTOOLS_SHARE_READFILE_H

#include <stddef.h>

#include "share/types.h"

/*
 * Both functions set *text, which the caller frees and which ends with a 0, and *size,
 * which does not count that 0. 0; -EFBIG: the file has more than `most` bytes; -ENOMEM;
 * or another -errno.
 *
 * readfile_plain(): from the file's beginning, as many bytes as it has at first; fewer
 * if it is truncated in the meantime. -EINVAL: it is a directory, a pipe, or the like.
 * readfile_stream(): all that can be read, also from a pipe or a file of /proc.
 */
int readfile_plain(int fd, u64 most, char **text, size_t *size);
int readfile_stream(int fd, u64 most, char **text, size_t *size);

/*
 * Read the beginning of the file at that path, as much as fits into text with a 0 after
 * it; "" if it cannot be read. Returns the length.
 */
size_t readfile_head(const char *path, char *text, size_t size);

#endif
