/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files whose names come from untrusted input. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_OBJECT_REGULAR_H
#define ERTOOLS_ARCHIVE_OBJECT_REGULAR_H

/*
 * Opens a regular file for reading; `flags`: O_NOFOLLOW, or 0. Devices and pipes are
 * not opened, since opening alone may have an effect. Returns a descriptor; -EINVAL: it
 * is not a regular file; -ELOOP: it is a link, with O_NOFOLLOW; or another -errno.
 */
int regular_open(int dirfd, const char *path, int flags);

#endif
