/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes through descriptors, and what is done with an open file. */
#include "collector/io/io_record.h"
#include "collector/hook/real.h"

WRAPPER ssize_t
read(int fd, void *buf, size_t size)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(read)(fd, buf, size);

    IO_RECORD(io_moved, since, read, fd, n);
    return n;
}

WRAPPER ssize_t
__read_chk(int fd, void *buf, size_t size, size_t room)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(__read_chk)(fd, buf, size, room);

    IO_RECORD(io_moved, since, read, fd, n);
    return n;
}

WRAPPER ssize_t
pread(int fd, void *buf, size_t size, off_t at)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(pread)(fd, buf, size, at);

    IO_RECORD(io_moved, since, pread, fd, n);
    return n;
}

WRAPPER ssize_t
pread64(int fd, void *buf, size_t size, off64_t at)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(pread64)(fd, buf, size, at);

    IO_RECORD(io_moved, since, pread, fd, n);
    return n;
}

WRAPPER ssize_t
__pread_chk(int fd, void *buf, size_t size, off_t at, size_t room)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(__pread_chk)(fd, buf, size, at, room);

    IO_RECORD(io_moved, since, pread, fd, n);
    return n;
}

WRAPPER ssize_t
__pread64_chk(int fd, void *buf, size_t size, off64_t at, size_t room)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(__pread64_chk)(fd, buf, size, at, room);

    IO_RECORD(io_moved, since, pread, fd, n);
    return n;
}

WRAPPER ssize_t
readv(int fd, const struct iovec *iov, int count)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(readv)(fd, iov, count);

    IO_RECORD(io_moved, since, readv, fd, n);
    return n;
}

WRAPPER ssize_t
preadv(int fd, const struct iovec *iov, int count, off_t at)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(preadv)(fd, iov, count, at);

    IO_RECORD(io_moved, since, preadv, fd, n);
    return n;
}

WRAPPER ssize_t
preadv64(int fd, const struct iovec *iov, int count, off64_t at)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(preadv64)(fd, iov, count, at);

    IO_RECORD(io_moved, since, preadv, fd, n);
    return n;
}

WRAPPER ssize_t
preadv2(int fd, const struct iovec *iov, int count, off_t at, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(preadv2)(fd, iov, count, at, flags);

    IO_RECORD(io_moved, since, preadv, fd, n);
    return n;
}

WRAPPER ssize_t
preadv64v2(int fd, const struct iovec *iov, int count, off64_t at, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(preadv64v2)(fd, iov, count, at, flags);

    IO_RECORD(io_moved, since, preadv, fd, n);
    return n;
}

WRAPPER ssize_t
write(int fd, const void *buf, size_t size)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(write)(fd, buf, size);

    IO_RECORD(io_moved, since, write, fd, n);
    return n;
}

WRAPPER ssize_t
pwrite(int fd, const void *buf, size_t size, off_t at)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(pwrite)(fd, buf, size, at);

    IO_RECORD(io_moved, since, pwrite, fd, n);
    return n;
}

WRAPPER ssize_t
pwrite64(int fd, const void *buf, size_t size, off64_t at)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(pwrite64)(fd, buf, size, at);

    IO_RECORD(io_moved, since, pwrite, fd, n);
    return n;
}

WRAPPER ssize_t
writev(int fd, const struct iovec *iov, int count)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(writev)(fd, iov, count);

    IO_RECORD(io_moved, since, writev, fd, n);
    return n;
}

WRAPPER ssize_t
pwritev(int fd, const struct iovec *iov, int count, off_t at)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(pwritev)(fd, iov, count, at);

    IO_RECORD(io_moved, since, pwritev, fd, n);
    return n;
}

WRAPPER ssize_t
pwritev64(int fd, const struct iovec *iov, int count, off64_t at)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(pwritev64)(fd, iov, count, at);

    IO_RECORD(io_moved, since, pwritev, fd, n);
    return n;
}

WRAPPER ssize_t
pwritev2(int fd, const struct iovec *iov, int count, off_t at, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(pwritev2)(fd, iov, count, at, flags);

    IO_RECORD(io_moved, since, pwritev, fd, n);
    return n;
}

WRAPPER ssize_t
pwritev64v2(int fd, const struct iovec *iov, int count, off64_t at, int flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(pwritev64v2)(fd, iov, count, at, flags);

    IO_RECORD(io_moved, since, pwritev, fd, n);
    return n;
}

WRAPPER ssize_t
sendfile(int to, int from, off_t *at, size_t size)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(sendfile)(to, from, at, size);

    IO_RECORD(io_moved_between, since, sendfile, to, IO_CALL(sendfile_from), from, n);
    return n;
}

WRAPPER ssize_t
sendfile64(int to, int from, off64_t *at, size_t size)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(sendfile64)(to, from, at, size);

    IO_RECORD(io_moved_between, since, sendfile, to, IO_CALL(sendfile_from), from, n);
    return n;
}

WRAPPER ssize_t
splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(splice)(from, from_at, to, to_at, size, flags);

    IO_RECORD(io_moved_between, since, splice, to, IO_CALL(splice_from), from, n);
    return n;
}

WRAPPER ssize_t
tee(int from, int to, size_t size, unsigned flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(tee)(from, to, size, flags);

    IO_RECORD(io_moved, since, tee, to, n);
    return n;
}

WRAPPER ssize_t
vmsplice(int fd, const struct iovec *iov, size_t count, unsigned flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(vmsplice)(fd, iov, count, flags);

    IO_RECORD(io_moved, since, vmsplice, fd, n);
    return n;
}

WRAPPER ssize_t
copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t size,
                unsigned flags)
{
    u64 since = IO_BEGIN();
    ssize_t n = IO_REAL(copy_file_range)(from, from_at, to, to_at, size, flags);

    IO_RECORD(io_moved_between, since, copy_file_range, to,
              IO_CALL(copy_file_range_from), from, n);
    return n;
}

WRAPPER off_t
lseek(int fd, off_t offset, int whence)
{
    u64 since = IO_BEGIN();
    off_t result = IO_REAL(lseek)(fd, offset, whence);

    IO_RECORD(io_done, since, lseek, fd, result);
    return result;
}

WRAPPER off64_t
lseek64(int fd, off64_t offset, int whence)
{
    u64 since = IO_BEGIN();
    off64_t result = IO_REAL(lseek64)(fd, offset, whence);

    IO_RECORD(io_done, since, lseek, fd, result);
    return result;
}

WRAPPER int
fsync(int fd)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fsync)(fd);

    IO_RECORD(io_done, since, fsync, fd, result);
    return result;
}

WRAPPER int
fdatasync(int fd)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fdatasync)(fd);

    IO_RECORD(io_done, since, fdatasync, fd, result);
    return result;
}

WRAPPER void
sync(void)
{
    u64 since = IO_BEGIN();

    IO_REAL(sync)();
    IO_RECORD(io_done, since, sync, -1, 0);
}

WRAPPER int
syncfs(int fd)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(syncfs)(fd);

    IO_RECORD(io_done, since, sync, fd, result);
    return result;
}

WRAPPER int
ftruncate(int fd, off_t size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(ftruncate)(fd, size);

    IO_RECORD(io_done, since, ftruncate, fd, result);
    return result;
}

WRAPPER int
ftruncate64(int fd, off64_t size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(ftruncate64)(fd, size);

    IO_RECORD(io_done, since, ftruncate, fd, result);
    return result;
}

WRAPPER int
fallocate(int fd, int mode, off_t at, off_t size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fallocate)(fd, mode, at, size);

    IO_RECORD(io_done, since, fallocate, fd, result);
    return result;
}

WRAPPER int
fallocate64(int fd, int mode, off64_t at, off64_t size)
{
    u64 since = IO_BEGIN();
    int result = IO_REAL(fallocate64)(fd, mode, at, size);

    IO_RECORD(io_done, since, fallocate, fd, result);
    return result;
}

WRAPPER int
posix_fallocate(int fd, off_t at, off_t size)
{
    u64 since = IO_BEGIN();
    int error = IO_REAL(posix_fallocate)(fd, at, size);

    IO_RECORD(io_done_error, since, fallocate, fd, error);
    return error;
}

WRAPPER int
posix_fallocate64(int fd, off64_t at, off64_t size)
{
    u64 since = IO_BEGIN();
    int error = IO_REAL(posix_fallocate64)(fd, at, size);

    IO_RECORD(io_done_error, since, fallocate, fd, error);
    return error;
}
