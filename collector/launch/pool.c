/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRESH ".fresh" /* a file's copy, until it has the name */

enum {
    KEPT_MAX = 8,      /* of each file */
    USED_MAX = 65536,  /* of a file that is worth a copy */
    NAME_BYTES = 64,
};

struct spare {
    int fd;
    u32 number; /* of its name */
    u64 reserved;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct spare spares[FILE_COUNT][KEPT_MAX];
static u32 kept[FILE_COUNT], numbers;
static int top = -1;

static void
name_of(enum er_file file, u32 number, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, ".spare-%s-%u", er_files[file].name, number);
}

void
pool_start(int directory)
{
    top = directory;
}

/* The last one that was put there; its pages are the warmest. */
static int
pop(enum er_file file, struct spare *spare)
{
    int found = 0;

    pthread_mutex_lock(&lock);
    if (kept[file]) {
        *spare = spares[file][--kept[file]];
        found = 1;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static int
push(enum er_file file, const struct spare *spare)
{
    int has_room;

    pthread_mutex_lock(&lock);
    has_room = kept[file] < KEPT_MAX;
    if (has_room)
        spares[file][kept[file]++] = *spare;
    pthread_mutex_unlock(&lock);
    return has_room;
}

int
pool_take(enum er_file file, int dir, u64 *reserved)
{
    char name[NAME_BYTES];
    struct spare spare;

    if (!pop(file, &spare))
        return -ENOENT;
    name_of(file, spare.number, name);
    if (renameat(top, name, dir, er_files[file].name) < 0) {
        close(spare.fd);
        (void)unlinkat(top, name, 0);
        return -ENOENT;
    }
    *reserved = spare.reserved;
    return spare.fd;
}

/* Zeros over [0, size), or the file's own bytes into another. */
static int
put_bytes(int to, int from, u64 size)
{
    static __thread char bytes[8192];

    for (u64 at = 0; at < size;) {
        u64 most = size - at < sizeof(bytes) ? size - at : sizeof(bytes);
        ssize_t len = (ssize_t)most;

        if (from < 0)
            __builtin_memset(bytes, 0, most);
        else
            len = pread(from, bytes, most, (off_t)at);
        if (len <= 0 || pwrite(to, bytes, (size_t)len, (off_t)at) != len)
            return -EIO;
        at += (u64)len;
    }
    return 0;
}

/* The used part under the file's name; the file itself has the spare name by then. */
static int
replace(struct experiment *e, enum er_file file, u64 used, const char *spare)
{
    int fd = openat(e->dir, FRESH, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int ret;

    if (fd < 0)
        return -errno;
    ret = fchmod(fd, 0600) < 0 ? -errno : put_bytes(fd, e->file[file], used);
    close(fd);
    if (ret == 0 && linkat(e->dir, er_files[file].name, top, spare, 0) < 0)
        ret = -errno;
    if (ret == 0 && renameat(e->dir, FRESH, e->dir, er_files[file].name) < 0) {
        ret = -errno;
        (void)unlinkat(top, spare, 0);
    }
    if (ret < 0)
        (void)unlinkat(e->dir, FRESH, 0);
    return ret;
}

int
pool_give(struct experiment *e, enum er_file file)
{
    struct spare spare = { .fd = e->file[file] };
    const struct ctl_file *cf = &e->ctl->file[file];
    u64 used = __atomic_load_n(&cf->next, __ATOMIC_ACQUIRE);
    char name[NAME_BYTES];
    int ret;

    spare.reserved = __atomic_load_n(&cf->reserved, __ATOMIC_ACQUIRE);
    if (top < 0 || used > USED_MAX || used > spare.reserved ||
        spare.reserved < ER_SEGMENT || spare.reserved > 2 * ER_SEGMENT ||
        kept[file] == KEPT_MAX)
        return -EFBIG;
    spare.number = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
    name_of(file, spare.number, name);
    ret = replace(e, file, used, name);
    if (ret < 0)
        return ret;
    e->file[file] = -1;
    if (put_bytes(spare.fd, -1, used) < 0 || !push(file, &spare)) {
        close(spare.fd);
        (void)unlinkat(top, name, 0);
    }
    return 0;
}

void
pool_end(void)
{
    struct spare spare;
    char name[NAME_BYTES];

    for (int i = 0; i < FILE_COUNT; i++) {
        while (pop((enum er_file)i, &spare)) {
            name_of((enum er_file)i, spare.number, name);
            close(spare.fd);
            (void)unlinkat(top, name, 0);
        }
    }
    top = -1;
}
