/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens output files that the user names. Other users may be able to write to the
 * directory, as in /tmp. Ordinary process context.
 */
#ifndef ERTOOLS_SHARE_OUTFILE_H
#define ERTOOLS_SHARE_OUTFILE_H

/*
 * Open path for writing, and make it if it is not there. flags: O_TRUNC or O_APPEND,
 * and O_RDWR instead of O_WRONLY. In a directory with the sticky bit that others may
 * write, a link, file or fifo of somebody else (the directory's owner excepted) is not
 * used, whatever the kernel is set to (proc_sys_fs(5), protected_symlinks): a link
 * could lead to any file of ours. Returns a descriptor that exec closes, or -errno:
 * -EPERM for what others have put there.
 */
int outfile_open(const char *path, int flags);

/* Why opening failed, as part of a sentence. */
const char *outfile_error(int error);

#endif
