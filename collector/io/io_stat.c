/* SPDX-License-Identifier: Apache-2.0 */
/* What is there, by name or descriptor. */
#include "collector/io/io_record.h"
#include "collector/hook/real.h"

/* Not declared nonnull: newer kernels take NULL for an empty path. */
static int
is_descriptor(const char *path, int flags)
{
    return flags & AT_EMPTY_PATH && (!path || !*path);
}

WRAPPER int
stat(const char *restrict path, struct stat *restrict to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(stat)(path, to);

    IO_RECORD(io_named, since, stat, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
stat64(const char *restrict path, struct stat64 *restrict to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(stat64)(path, to);

    IO_RECORD(io_named, since, stat, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
lstat(const char *restrict path, struct stat *restrict to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(lstat)(path, to);

    IO_RECORD(io_named, since, stat, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
lstat64(const char *restrict path, struct stat64 *restrict to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(lstat64)(path, to);

    IO_RECORD(io_named, since, stat, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
fstat(int fd, struct stat *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fstat)(fd, to);

    IO_RECORD(io_done, since, fstat, fd, result);
    return result;
}

WRAPPER int
fstat64(int fd, struct stat64 *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fstat64)(fd, to);

    IO_RECORD(io_done, since, fstat, fd, result);
    return result;
}

WRAPPER int
fstatat(int dir, const char *restrict path, struct stat *restrict to, int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fstatat)(dir, path, to, flags);

    if (is_descriptor(path, flags))
        IO_RECORD(io_done, since, fstat, dir, result);
    else
        IO_RECORD(io_named, since, stat, dir, path, result);
    return result;
}

WRAPPER int
fstatat64(int dir, const char *restrict path, struct stat64 *restrict to, int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fstatat64)(dir, path, to, flags);

    if (is_descriptor(path, flags))
        IO_RECORD(io_done, since, fstat, dir, result);
    else
        IO_RECORD(io_named, since, stat, dir, path, result);
    return result;
}

WRAPPER int
statx(int dir, const char *restrict path, int flags, unsigned mask,
      struct statx *restrict to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(statx)(dir, path, flags, mask, to);

    if (is_descriptor(path, flags))
        IO_RECORD(io_done, since, fstat, dir, result);
    else
        IO_RECORD(io_named, since, stat, dir, path, result);
    return result;
}

WRAPPER int
__xstat(int version, const char *path, struct stat *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__xstat)(version, path, to);

    IO_RECORD(io_named, since, stat, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
__xstat64(int version, const char *path, struct stat64 *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__xstat64)(version, path, to);

    IO_RECORD(io_named, since, stat, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
__lxstat(int version, const char *path, struct stat *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__lxstat)(version, path, to);

    IO_RECORD(io_named, since, stat, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
__lxstat64(int version, const char *path, struct stat64 *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__lxstat64)(version, path, to);

    IO_RECORD(io_named, since, stat, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
__fxstat(int version, int fd, struct stat *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__fxstat)(version, fd, to);

    IO_RECORD(io_done, since, fstat, fd, result);
    return result;
}

WRAPPER int
__fxstat64(int version, int fd, struct stat64 *to)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__fxstat64)(version, fd, to);

    IO_RECORD(io_done, since, fstat, fd, result);
    return result;
}

WRAPPER int
__fxstatat(int version, int dir, const char *path, struct stat *to, int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__fxstatat)(version, dir, path, to, flags);

    if (is_descriptor(path, flags))
        IO_RECORD(io_done, since, fstat, dir, result);
    else
        IO_RECORD(io_named, since, stat, dir, path, result);
    return result;
}

WRAPPER int
__fxstatat64(int version, int dir, const char *path, struct stat64 *to, int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(__fxstatat64)(version, dir, path, to, flags);

    if (is_descriptor(path, flags))
        IO_RECORD(io_done, since, fstat, dir, result);
    else
        IO_RECORD(io_named, since, stat, dir, path, result);
    return result;
}

WRAPPER int
access(const char *path, int mode)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(access)(path, mode);

    IO_RECORD(io_named, since, access, AT_FDCWD, path, result);
    return result;
}

WRAPPER int
faccessat(int dir, const char *path, int mode, int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(faccessat)(dir, path, mode, flags);

    IO_RECORD(io_named, since, access, dir, path, result);
    return result;
}
