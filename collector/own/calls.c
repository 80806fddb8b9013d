/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libc's functions for system calls, but none is a cancellation point. Each makes the
 * same system call as libc's function, since a filter that lets one call pass may kill
 * for another; share/filter.c has a list of the calls that are made.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "collector/sig/sys.h"

static long
result(long value)
{
    if (value >= 0 || value < -4095)
        return value;
    errno = (int)-value;
    return -1;
}

static long
number(const volatile void *p)
{
    return (long)(uintptr_t)p;
}

static int
open_at(int dir, const char *path, int flags, va_list list)
{
    long mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;

    return (int)result(sys_call4(SYS_openat, dir, number(path), flags, mode));
}

int
open(const char *path, int flags, ...)
{
    va_list list;
    int fd;

    va_start(list, flags);
    fd = open_at(AT_FDCWD, path, flags, list);
    va_end(list);
    return fd;
}

int
openat(int dir, const char *path, int flags, ...)
{
    va_list list;
    int fd;

    va_start(list, flags);
    fd = open_at(dir, path, flags, list);
    va_end(list);
    return fd;
}

int
close(int fd)
{
    return (int)result(sys_call4(SYS_close, fd, 0, 0, 0));
}

ssize_t
pread(int fd, void *buf, size_t len, off_t at)
{
    return result(sys_call4(SYS_pread64, fd, number(buf), (long)len, at));
}

ssize_t
write(int fd, const void *buf, size_t len)
{
    return result(sys_call4(SYS_write, fd, number(buf), (long)len, 0));
}

ssize_t
readlink(const char *restrict path, char *restrict buf, size_t size)
{
    return result(sys_call4(SYS_readlink, number(path), number(buf), (long)size, 0));
}

int
access(const char *path, int mode)
{
    return (int)result(sys_call4(SYS_access, number(path), mode, 0, 0));
}

int
stat(const char *restrict path, struct stat *restrict st)
{
    return (int)result(
        sys_call4(SYS_newfstatat, AT_FDCWD, number(path), number(st), 0));
}

int
fstat(int fd, struct stat *st)
{
    return (int)result(
        sys_call4(SYS_newfstatat, fd, number(""), number(st), AT_EMPTY_PATH));
}

int
fstatfs(int fd, struct statfs *fs)
{
    return (int)result(sys_call4(SYS_fstatfs, fd, number(fs), 0, 0));
}

ssize_t
fgetxattr(int fd, const char *name, void *value, size_t size)
{
    return result(
        sys_call4(SYS_fgetxattr, fd, number(name), number(value), (long)size));
}

void *
mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
    return (void *)(uintptr_t)result(
        sys_call6(SYS_mmap, number(at), (long)len, prot, flags, fd, offset));
}

int
munmap(void *at, size_t len)
{
    return (int)result(sys_call4(SYS_munmap, number(at), (long)len, 0, 0));
}

int
madvise(void *at, size_t len, int advice)
{
    return (int)result(sys_call4(SYS_madvise, number(at), (long)len, advice, 0));
}

int
getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
    return (int)result(sys_call4(SYS_prlimit64, 0, resource, 0, number(limit)));
}

int
kill(pid_t pid, int signal)
{
    return (int)result(sys_call4(SYS_kill, pid, signal, 0, 0));
}

pid_t
getpid(void)
{
    return (pid_t)sys_call4(SYS_getpid, 0, 0, 0, 0);
}

uid_t
getuid(void)
{
    return (uid_t)sys_call4(SYS_getuid, 0, 0, 0, 0);
}

uid_t
geteuid(void)
{
    return (uid_t)sys_call4(SYS_geteuid, 0, 0, 0, 0);
}

gid_t
getgid(void)
{
    return (gid_t)sys_call4(SYS_getgid, 0, 0, 0, 0);
}

gid_t
getegid(void)
{
    return (gid_t)sys_call4(SYS_getegid, 0, 0, 0, 0);
}
