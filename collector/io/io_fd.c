/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors: the calls that need more than a row of libc.def can say. */
#include <linux/close_range.h>

#include "collector/io/io_record.h"
#include "collector/libc/real.h"

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
