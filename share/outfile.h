/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens output files that the user names. Other users may be able to write to the
 * directory, as in /tmp. Ordinary process context.
 */
#ifndef ERTOOLS_SHARE_OUTFILE_H
#define ERTOOLS_SHARE_OUTFILE_H

/*
 * Open path for writing, and make the file if it does not exist. flags: O_TRUNC or
 * O_APPEND, and O_RDWR instead of O_WRONLY. In a directory with the sticky bit to which
 * others may write, a link, file or fifo of another user (except the directory's owner)
 * is not used, even if the kernel would allow that (proc_sys_fs(5),
 * protected_symlinks): a link could lead to any file of this user. Returns a descriptor
 * that exec closes, or -errno: -EPERM if another user put the entry there.
 */
int outfile_open(const char *path, int flags);

/* Why opening failed, as part of a sentence. */
const char *outfile_error(int error);

#endif
