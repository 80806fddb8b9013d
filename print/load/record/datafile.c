/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/datafile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    /* bytes of a file from which on size_of() and is_hollow() look for holes */
    LONG = 1 << 28,
    SMALL = 1 << 16, /* bytes up to which a file is always read, not mapped */
    /*
     * By default, Linux allows a process 65530 mappings, and malloc() needs some of
     * them. There may be thousands of experiments with several files each. So the more
     * files are mapped, the longer a file must be to be mapped, too.
     */
    /* mapped files from which on the least size of a mapped file grows */
    MAPS_MANY = 8192,
    MAPS_MORE = 512,     /* further mapped files after which the least size doubles */
    MAPS_DOUBLINGS = 16, /* doublings after which all files are read */
};

static u32 maps; /* number of files that are mapped now */

/*
 * Find the next extent with data at or after `at`: [*from, *to). False: there is none.
 * If lseek() cannot tell, assume that all of [at, size) is data.
 */
static bool
next_data(int fd, u64 at, u64 size, u64 *from, u64 *to)
{
    off_t data = lseek(fd, (off_t)at, SEEK_DATA), hole;

    if (at >= size || (data < 0 && errno == ENXIO))
        return false;
    *from = data < 0 ? at : (u64)data;
    hole = data < 0 ? -1 : lseek(fd, data, SEEK_HOLE);
    *to = hole < 0 || (u64)hole > size ? size : (u64)hole;
    return *from < *to;
}

/* Read the file's bytes [got, end) to data + got. Returns the end of what was read. */
static u64
read_range(int fd, char *data, u64 got, u64 end)
{
    while (got < end) {
        ssize_t n = pread(fd, data + got, end - got, (off_t)got);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (u64)n;
    }
    return got;
}

/* Read a long file into a mapping, in which holes of the file take no memory. */
static int
copy_long(struct datafile *file, int fd, u64 size)
{
    char *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    u64 got = 0, end;

    if (data == MAP_FAILED)
        return -EFBIG;
    while (next_data(fd, got, size, &got, &end)) {
        got = read_range(fd, data, got, end);
        if (got < end)
            break;
    }
    file->data = (const unsigned char *)data;
    return 0;
}

/*
 * Copy the file into memory. If it is truncated in the meantime, the missing part is
 * zeros. 0 or -errno.
 */
static int
copy(struct datafile *file, int fd, u64 size)
{
    char *data;
    u64 got;

    if (size > SMALL)
        return copy_long(file, fd, size);
    data = malloc(size);
    if (!data)
        return -ENOMEM;
    got = read_range(fd, data, 0, size);
    memset(data + got, 0, size - got);
    file->data = (const unsigned char *)data;
    return 0;
}

static int
map(struct datafile *file, int fd, u64 size)
{
    void *data = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

    if (data == MAP_FAILED)
        return -errno;
    file->data = data;
    file->is_mapped = true;
    maps++;
    return 0;
}

/* Is a file of that size long enough to be mapped, not read? */
static bool
is_worth_map(u64 size)
{
    u32 doublings = maps < MAPS_MANY ? 0 : (maps - MAPS_MANY) / MAPS_MORE;

    return doublings < MAPS_DOUBLINGS && size > (u64)SMALL << doublings;
}

/*
 * The bytes of a file to read. The collector reserves blocks for all of its files. So
 * if a long file has blocks for only a sixteenth of its size, it ends with the last
 * extent that has data: reading its zeros could take hours.
 */
static u64
size_of(int fd, const struct stat *st)
{
    enum { EXTENTS = 100000 };
    off_t end = 0, at;
    int i;

    if (st->st_size < LONG || st->st_blocks > st->st_size / 512 / 16)
        return (u64)st->st_size;
    for (i = 0; i < EXTENTS && (at = lseek(fd, end, SEEK_DATA)) >= 0; i++)
        end = lseek(fd, at, SEEK_HOLE);
    return i < EXTENTS && errno == ENXIO ? (u64)end : (u64)st->st_size;
}

/*
 * Does a long file have blocks for less than 1/1024 of `size`? The collector reserves
 * blocks for all of its files, so it did not write this one, and reading its zeros
 * could take hours.
 */
static bool
is_hollow(const struct stat *st, u64 size)
{
    return size >= LONG && (u64)st->st_blocks < size / 512 / 1024;
}

int
datafile_open(struct datafile *file, int dirfd, const char *name, bool growing)
{
    int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    int ret = 0;
    u64 size = 0;

    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0)
        ret = -errno;
    else if (!S_ISREG(st.st_mode))
        ret = -EINVAL;
    else if (is_hollow(&st, size = size_of(fd, &st)))
        ret = -EFBIG;
    else if (size > 0)
        ret = (growing || !is_worth_map(size) ? copy : map)(file, fd, size);
    if (ret == 0 && size > 0)
        file->size = size;
    close(fd);
    return ret;
}

void
datafile_forget(const struct datafile *file)
{
    if (file->is_mapped)
        madvise((void *)(uintptr_t)file->data, file->size, MADV_DONTNEED);
}

void
datafile_close(struct datafile *file)
{
    if (file->is_mapped)
        maps--;
    if (file->data && file->size <= SMALL && !file->is_mapped)
        free((void *)(uintptr_t)file->data);
    else if (file->data)
        munmap((void *)(uintptr_t)file->data, file->size);
    file->data = NULL;
    file->is_mapped = false;
    free(file->path);
    file->path = NULL;
}
