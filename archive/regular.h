/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files whose names come from untrusted input. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_REGULAR_H
#define ERTOOLS_ARCHIVE_REGULAR_H

/*
 * Opens a regular file for reading; `flags`: O_NOFOLLOW, or 0. Devices and pipes are
 * not opened, since opening alone may have an effect. Descriptor, -EINVAL: it is no
 * regular file, or -errno.
 */
int regular_open(int dirfd, const char *path, int flags);

#endif
