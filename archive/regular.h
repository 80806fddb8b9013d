/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening of files whose names come from others. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_REGULAR_H
#define ERTOOLS_ARCHIVE_REGULAR_H

/*
 * Opens a plain file for reading; `flags`: O_NOFOLLOW, or 0. A device is not opened, as
 * that alone may do something, nor a pipe. Descriptor, -EINVAL: it is no plain file, or
 * -errno.
 */
int regular_open(int dirfd, const char *path, int flags);

#endif
