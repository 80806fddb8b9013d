/* SPDX-License-Identifier: Apache-2.0 */
/* What changes the tree of files, and directories. */
#include <errno.h>

#include "collector/io/io_record.h"
#include "collector/hook/real.h"

/* closedir() takes NULL, and says so. */
static int
fd_of(DIR *dir)
{
    return dir ? dirfd(dir) : -1;
}

WRAPPER int
truncate(const char *path, off_t size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(truncate)(path, size);

    IO_RECORD(io_named, since, truncate, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
truncate64(const char *path, off64_t size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(truncate64)(path, size);

    IO_RECORD(io_named, since, truncate, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
mkdir(const char *path, mode_t mode)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(mkdir)(path, mode);

    IO_RECORD(io_named, since, mkdir, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
mkdirat(int dir, const char *path, mode_t mode)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(mkdirat)(dir, path, mode);

    IO_RECORD(io_named, since, mkdir, dir, path, result);
    return result;
}

WRAPPER int
rmdir(const char *path)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(rmdir)(path);

    IO_RECORD(io_named, since, rmdir, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
rename(const char *from, const char *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(rename)(from, to);

    IO_RECORD(io_named, since, rename, AT_FDCWD, from, result);
    return result;
}

WRAPPER int
renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(renameat)(from_dir, from, to_dir, to);

    IO_RECORD(io_named, since, rename, from_dir, from, result);
    return result;
}

WRAPPER int
renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(renameat2)(from_dir, from, to_dir, to, flags);

    IO_RECORD(io_named, since, rename, from_dir, from, result);
    return result;
}

WRAPPER int
unlink(const char *path)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(unlink)(path);

    IO_RECORD(io_named, since, unlink, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
unlinkat(int dir, const char *path, int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(unlinkat)(dir, path, flags);

    IO_RECORD(io_named, since, unlink, dir, path, result);
    return result;
}

WRAPPER int
remove(const char *path)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(remove)(path);

    IO_RECORD(io_named, since, unlink, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
link(const char *from, const char *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(link)(from, to);

    IO_RECORD(io_named, since, link, AT_FDCWD, to, result);
    return result;
}

WRAPPER int
linkat(int from_dir, const char *from, int dir, const char *to, int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(linkat)(from_dir, from, dir, to, flags);

    IO_RECORD(io_named, since, link, dir, to, result);
    return result;
}

WRAPPER int
symlink(const char *target, const char *path)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(symlink)(target, path);

    IO_RECORD(io_named, since, symlink, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
symlinkat(const char *target, int dir, const char *path)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(symlinkat)(target, dir, path);

    IO_RECORD(io_named, since, symlink, dir, path, result);
    return result;
}

WRAPPER ssize_t
readlink(const char *restrict path, char *restrict buf, size_t size)
{
    u64 since = IO_BEGIN();
    ssize_t result = IO_REAL(readlink)(path, buf, size);

    IO_RECORD(io_named, since, readlink, AT_FDCWD, path, result);
    return result;
}

WRAPPER ssize_t
readlinkat(int dir, const char *restrict path, char *restrict buf, size_t size)
{
    u64 since = IO_BEGIN();
    ssize_t result = IO_REAL(readlinkat)(dir, path, buf, size);

    IO_RECORD(io_named, since, readlink, dir, path, result);
    return result;
}

WRAPPER ssize_t
__readlink_chk(const char *path, char *buf, size_t size, size_t room)
{
    u64 since = IO_BEGIN();
    ssize_t result = IO_REAL(__readlink_chk)(path, buf, size, room);

    IO_RECORD(io_named, since, readlink, AT_FDCWD, path, result);
    return result;
}

WRAPPER ssize_t
__readlinkat_chk(int dir, const char *path, char *buf, size_t size, size_t room)
{
    u64 since = IO_BEGIN();
    ssize_t result = IO_REAL(__readlinkat_chk)(dir, path, buf, size, room);

    IO_RECORD(io_named, since, readlink, dir, path, result);
    return result;
}

WRAPPER int
chdir(const char *path)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(chdir)(path);

    IO_RECORD(io_moved_to, since, chdir, path, -1, result);
    return result;
}

WRAPPER int
fchdir(int fd)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fchdir)(fd);

    IO_RECORD(io_moved_to, since, chdir, NULL, fd, result);
    return result;
}

WRAPPER DIR *
opendir(const char *path)
{
    u64 since = IO_BEGIN();
    DIR *dir = IO_REAL(opendir)(path);

    IO_RECORD(io_opened, since, opendir, AT_FDCWD, path, dir ? dirfd(dir) : -1);
    return dir;
}

WRAPPER DIR *
fdopendir(int fd)
{
    u64 since = IO_BEGIN();
    DIR *dir = IO_REAL(fdopendir)(fd);

    IO_RECORD(io_done, since, opendir, fd, dir ? 0 : -1);
    return dir;
}

WRAPPER int
closedir(DIR *dir)
{
    u64 since = IO_BEGIN();
    u32 file = io_closing(since, fd_of(dir));
    int result = IO_REAL(closedir)(dir);

    IO_RECORD(io_closed, since, closedir, file, result);
    return result;
}

/* The end of a directory is no error: only errno tells them apart. */
WRAPPER struct dirent *
readdir(DIR *dir)
{
    u64 since = IO_BEGIN();
    int saved = errno;
    struct dirent *entry;

    errno = 0;
    entry = IO_REAL(readdir)(dir);
    IO_RECORD(io_done_error, since, readdir, fd_of(dir), entry ? 0 : errno);
    if (!errno || entry)
        errno = saved;
    return entry;
}

WRAPPER struct dirent64 *
readdir64(DIR *dir)
{
    u64 since = IO_BEGIN();
    int saved = errno;
    struct dirent64 *entry;

    errno = 0;
    entry = IO_REAL(readdir64)(dir);
    IO_RECORD(io_done_error, since, readdir, fd_of(dir), entry ? 0 : errno);
    if (!errno || entry)
        errno = saved;
    return entry;
}
