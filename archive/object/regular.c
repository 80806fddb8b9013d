/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/object/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int
regular_open(int dirfd, const char *path, int flags)
{
    int follow = flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, fd;
    struct stat st;

    if (fstatat(dirfd, path, &st, follow) < 0)
        return -errno;
    if (S_ISLNK(st.st_mode))
        return -ELOOP;
    if (!S_ISREG(st.st_mode))
        return -EINVAL;
    fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return -EINVAL;
    }
    return fd;
}
