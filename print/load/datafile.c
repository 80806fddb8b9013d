/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/datafile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int
copy(struct datafile *file, int fd, u64 size)
{
    u64 got = 0;
    char *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);

    if (data == MAP_FAILED)
        return -ENOMEM;
    while (got < size) {
        ssize_t n = pread(fd, data + got, size - got, (off_t)got);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (u64)n;
    }
    file->data = (const unsigned char *)data;
    file->size = size; /* what was cut meanwhile reads as zeros */
    return 0;
}

static int
map(struct datafile *file, int fd, u64 size)
{
    void *data = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

    if (data == MAP_FAILED)
        return -errno;
    file->data = data;
    file->size = size;
    return 0;
}

int
datafile_open(struct datafile *file, int dirfd, const char *name, bool growing)
{
    int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    int ret = 0;

    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0)
        ret = -errno;
    else if (!S_ISREG(st.st_mode))
        ret = -EINVAL;
    else if (st.st_size > 0)
        ret = (growing ? copy : map)(file, fd, (u64)st.st_size);
    close(fd);
    return ret;
}

void
datafile_close(struct datafile *file)
{
    if (file->data)
        munmap((void *)(uintptr_t)file->data, file->size);
    file->data = NULL;
    free(file->path);
    file->path = NULL;
}
