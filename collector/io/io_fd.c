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
__open_2(const char *path, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(__open_2)(path, flags);

    IO_RECORD(io_opened, since, open, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
__open64_2(const char *path, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(__open64_2)(path, flags);

    IO_RECORD(io_opened, since, open, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
__openat_2(int dir, const char *path, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(__openat_2)(dir, path, flags);

    IO_RECORD(io_opened, since, open, dir, path, fd);
    return fd;
}

WRAPPER int
__openat64_2(int dir, const char *path, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(__openat64_2)(dir, path, flags);

    IO_RECORD(io_opened, since, open, dir, path, fd);
    return fd;
}

WRAPPER int
creat(const char *path, mode_t mode)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(creat)(path, mode);

    IO_RECORD(io_opened, since, open, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
creat64(const char *path, mode_t mode)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(creat64)(path, mode);

    IO_RECORD(io_opened, since, open, AT_FDCWD, path, fd);
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
dup(int fd)
{
    u64 since = IO_BEGIN();
    int now = IO_REAL(dup)(fd);

    IO_RECORD(io_copied, since, dup, fd, now);
    return now;
}

WRAPPER int
dup2(int fd, int to)
{
    u64 since = IO_BEGIN();
    int now = IO_REAL(dup2)(fd, to);

    IO_RECORD(io_copied, since, dup, fd, now);
    return now;
}

WRAPPER int
dup3(int fd, int to, int flags)
{
    u64 since = IO_BEGIN();
    int now = IO_REAL(dup3)(fd, to, flags);

    IO_RECORD(io_copied, since, dup, fd, now);
    return now;
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

WRAPPER int
pipe(int fds[2])
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(pipe)(fds);

    IO_RECORD(io_opened_two, since, pipe, fds, result);
    return result;
}

WRAPPER int
pipe2(int fds[2], int flags)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(pipe2)(fds, flags);

    IO_RECORD(io_opened_two, since, pipe, fds, result);
    return result;
}

WRAPPER int
mkstemp(char *path)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(mkstemp)(path);

    IO_RECORD(io_opened, since, mkstemp, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
mkstemp64(char *path)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(mkstemp64)(path);

    IO_RECORD(io_opened, since, mkstemp, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
mkostemp(char *path, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(mkostemp)(path, flags);

    IO_RECORD(io_opened, since, mkstemp, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
mkostemp64(char *path, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(mkostemp64)(path, flags);

    IO_RECORD(io_opened, since, mkstemp, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
mkstemps(char *path, int suffix)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(mkstemps)(path, suffix);

    IO_RECORD(io_opened, since, mkstemp, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
mkstemps64(char *path, int suffix)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(mkstemps64)(path, suffix);

    IO_RECORD(io_opened, since, mkstemp, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
mkostemps(char *path, int suffix, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(mkostemps)(path, suffix, flags);

    IO_RECORD(io_opened, since, mkstemp, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
mkostemps64(char *path, int suffix, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(mkostemps64)(path, suffix, flags);

    IO_RECORD(io_opened, since, mkstemp, AT_FDCWD, path, fd);
    return fd;
}

WRAPPER int
shm_open(const char *name, int flags, mode_t mode)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(shm_open)(name, flags, mode);

    IO_RECORD(io_opened, since, shm_open, AT_FDCWD, NULL, fd);
    return fd;
}

WRAPPER int
memfd_create(const char *name, unsigned flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(memfd_create)(name, flags);

    IO_RECORD(io_opened, since, memfd_create, AT_FDCWD, NULL, fd);
    return fd;
}

WRAPPER int
epoll_create(int size)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(epoll_create)(size);

    IO_RECORD(io_opened, since, epoll_create, AT_FDCWD, NULL, fd);
    return fd;
}

WRAPPER int
epoll_create1(int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(epoll_create1)(flags);

    IO_RECORD(io_opened, since, epoll_create, AT_FDCWD, NULL, fd);
    return fd;
}

WRAPPER int
eventfd(unsigned count, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(eventfd)(count, flags);

    IO_RECORD(io_opened, since, eventfd, AT_FDCWD, NULL, fd);
    return fd;
}

WRAPPER int
timerfd_create(clockid_t clock, int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(timerfd_create)(clock, flags);

    IO_RECORD(io_opened, since, timerfd_create, AT_FDCWD, NULL, fd);
    return fd;
}

WRAPPER int
inotify_init(void)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(inotify_init)();

    IO_RECORD(io_opened, since, inotify_init, AT_FDCWD, NULL, fd);
    return fd;
}

WRAPPER int
inotify_init1(int flags)
{
    u64 since = IO_BEGIN();
    int fd = IO_REAL(inotify_init1)(flags);

    IO_RECORD(io_opened, since, inotify_init, AT_FDCWD, NULL, fd);
    return fd;
}
