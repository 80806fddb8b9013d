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
