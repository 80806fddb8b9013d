/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: opening, closing, copying. */
#include <linux/close_range.h>

#include "collector/io/io_record.h"
#include "collector/hook/real.h"

/* As libc has it: only then is there a third argument. */
#define HAS_MODE(flags) ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE)

WRAPPER int
open(const char *path, int flags, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    mode_t mode;
    int fd;

    va_start(args, flags);
    mode = HAS_MODE(flags) ? va_arg(args, mode_t) : 0;
    va_end(args);
    fd = IO_REAL(open)(path, flags, mode);
    IO_RECORD(io_opened, since, open, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
open64(const char *path, int flags, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    mode_t mode;
    int fd;

    va_start(args, flags);
    mode = HAS_MODE(flags) ? va_arg(args, mode_t) : 0;
    va_end(args);
    fd = IO_REAL(open64)(path, flags, mode);
    IO_RECORD(io_opened, since, open, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
openat(int dir, const char *path, int flags, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    mode_t mode;
    int fd;

    va_start(args, flags);
    mode = HAS_MODE(flags) ? va_arg(args, mode_t) : 0;
    va_end(args);
    fd = IO_REAL(openat)(dir, path, flags, mode);
    IO_RECORD(io_opened, since, open, dir, path, fd);
    return fd;
}

WRAPPER int
openat64(int dir, const char *path, int flags, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    mode_t mode;
    int fd;

    va_start(args, flags);
    mode = HAS_MODE(flags) ? va_arg(args, mode_t) : 0;
    va_end(args);
    fd = IO_REAL(openat64)(dir, path, flags, mode);
    IO_RECORD(io_opened, since, open, dir, path, fd);
    return fd;
}

WRAPPER int
close(int fd)
{
    u64 since = IO_BEGIN();
    u32 file = io_closing(since, fd);
    int result = IO_REAL(close)(fd);

    IO_RECORD(io_closed, since, close, file, result);
    return result;
}

WRAPPER int
close_range(unsigned first, unsigned last, int flags)
{
    u64 since = IO_BEGIN();
    int result;

    if (!(flags & CLOSE_RANGE_CLOEXEC))
        io_closing_range(since, first, last);
    result = IO_REAL(close_range)(first, last, flags);
    IO_RECORD(io_closed, since, close_range, 0, result);
    return result;
}

WRAPPER void
closefrom(int first)
{
    u64 since = IO_BEGIN();

    io_closing_range(since, first < 0 ? 0 : (unsigned)first, ~0u);
    IO_REAL(closefrom)(first);
    IO_RECORD(io_closed, since, close_range, 0, 0);
}

WRAPPER int
fcntl(int fd, int command, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    void *arg;
    int result;

    va_start(args, command);
    arg = va_arg(args, void *);
    va_end(args);
    result = IO_REAL(fcntl)(fd, command, arg);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        IO_RECORD(io_copied, since, dup, fd, result);
    else
        IO_RECORD(io_done, since, fcntl, fd, result);
    return result;
}

WRAPPER int
fcntl64(int fd, int command, ...)
{
    u64 since = IO_BEGIN();
    va_list args;
    void *arg;
    int result;

    va_start(args, command);
    arg = va_arg(args, void *);
    va_end(args);
    result = IO_REAL(fcntl64)(fd, command, arg);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        IO_RECORD(io_copied, since, dup, fd, result);
    else
        IO_RECORD(io_done, since, fcntl, fd, result);
    return result;
}

WRAPPER void
sync(void)
{
    u64 since = IO_BEGIN();

    IO_REAL(sync)();
    IO_RECORD(io_done, since, sync, -1, 0);
}
