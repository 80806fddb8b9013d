/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors, what they move, and names that are changed. */
#include "collector/hook/real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

static int
takes_mode(int flags)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

WRAPPER int
open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;

    if (takes_mode(flags)) {
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    return WAIT_IN(MSTATE_IO, WAIT_REAL(open)(path, flags, mode));
}

WRAPPER int
open64(const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;

    if (takes_mode(flags)) {
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    return WAIT_IN(MSTATE_IO, WAIT_REAL(open64)(path, flags, mode));
}

WRAPPER int
openat(int dir, const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;

    if (takes_mode(flags)) {
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    return WAIT_IN(MSTATE_IO, WAIT_REAL(openat)(dir, path, flags, mode));
}

WRAPPER int
openat64(int dir, const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list args;

    if (takes_mode(flags)) {
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    return WAIT_IN(MSTATE_IO, WAIT_REAL(openat64)(dir, path, flags, mode));
}

WRAPPER int
close(int fd)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(close)(fd));
}

WRAPPER ssize_t
read(int fd, void *buf, size_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(read)(fd, buf, size));
}

WRAPPER ssize_t
__read_chk(int fd, void *buf, size_t size, size_t room)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(__read_chk)(fd, buf, size, room));
}

WRAPPER ssize_t
pread(int fd, void *buf, size_t size, off_t at)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(pread)(fd, buf, size, at));
}

WRAPPER ssize_t
pread64(int fd, void *buf, size_t size, off64_t at)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(pread64)(fd, buf, size, at));
}

WRAPPER ssize_t
readv(int fd, const struct iovec *v, int count)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(readv)(fd, v, count));
}

WRAPPER ssize_t
preadv(int fd, const struct iovec *v, int count, off_t at)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(preadv)(fd, v, count, at));
}

WRAPPER ssize_t
preadv64(int fd, const struct iovec *v, int count, off64_t at)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(preadv64)(fd, v, count, at));
}

WRAPPER ssize_t
write(int fd, const void *buf, size_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(write)(fd, buf, size));
}

WRAPPER ssize_t
pwrite(int fd, const void *buf, size_t size, off_t at)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(pwrite)(fd, buf, size, at));
}

WRAPPER ssize_t
pwrite64(int fd, const void *buf, size_t size, off64_t at)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(pwrite64)(fd, buf, size, at));
}

WRAPPER ssize_t
writev(int fd, const struct iovec *v, int count)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(writev)(fd, v, count));
}

WRAPPER ssize_t
pwritev(int fd, const struct iovec *v, int count, off_t at)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(pwritev)(fd, v, count, at));
}

WRAPPER ssize_t
pwritev64(int fd, const struct iovec *v, int count, off64_t at)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(pwritev64)(fd, v, count, at));
}

WRAPPER ssize_t
sendfile(int to, int from, off_t *at, size_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(sendfile)(to, from, at, size));
}

WRAPPER ssize_t
sendfile64(int to, int from, off64_t *at, size_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(sendfile64)(to, from, at, size));
}

WRAPPER ssize_t
splice(int from, off64_t *at, int to, off64_t *to_at, size_t size, unsigned flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(splice)(from, at, to, to_at, size, flags));
}

WRAPPER ssize_t
tee(int from, int to, size_t size, unsigned flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(tee)(from, to, size, flags));
}

WRAPPER ssize_t
vmsplice(int fd, const struct iovec *v, size_t count, unsigned flags)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(vmsplice)(fd, v, count, flags));
}

WRAPPER ssize_t
copy_file_range(int from, off64_t *at, int to, off64_t *to_at, size_t size,
                unsigned flags)
{
    return WAIT_IN(MSTATE_IO,
                   WAIT_REAL(copy_file_range)(from, at, to, to_at, size, flags));
}

WRAPPER int
fsync(int fd)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(fsync)(fd));
}

WRAPPER int
fdatasync(int fd)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(fdatasync)(fd));
}

WRAPPER void
sync(void)
{
    (void)WAIT_IN(MSTATE_IO, __extension__({
                      WAIT_REAL(sync)();
                      0;
                  }));
}

WRAPPER int
syncfs(int fd)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(syncfs)(fd));
}

WRAPPER int
ftruncate(int fd, off_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(ftruncate)(fd, size));
}

WRAPPER int
ftruncate64(int fd, off64_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(ftruncate64)(fd, size));
}

WRAPPER int
posix_fallocate(int fd, off_t at, off_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(posix_fallocate)(fd, at, size));
}

WRAPPER int
posix_fallocate64(int fd, off64_t at, off64_t size)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(posix_fallocate64)(fd, at, size));
}

WRAPPER int
unlink(const char *path)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(unlink)(path));
}

WRAPPER int
rename(const char *from, const char *to)
{
    return WAIT_IN(MSTATE_IO, WAIT_REAL(rename)(from, to));
}

WRAPPER struct dirent *
readdir(DIR *dir)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(readdir)(dir));
}

WRAPPER struct dirent64 *
readdir64(DIR *dir)
{
    return WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(readdir64)(dir));
}
