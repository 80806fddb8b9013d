/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "share/writeall.h"

#define TMP_PREFIX ".tmp-"
#define TRIES 100

int
store_dir(int dir, const char *name)
{
    int fd;

    if (mkdirat(dir, name, 0700) < 0 && errno != EEXIST && errno != EROFS)
        return -errno;
    fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    return fd < 0 ? -errno : fd;
}

static void
tmp_name(char name[STORE_TMP_MAX])
{
    static atomic_uint serial;

    snprintf(name, STORE_TMP_MAX, TMP_PREFIX "%ld-%u", (long)getpid(),
             atomic_fetch_add(&serial, 1));
}

/*
 * Locks a new file. False: another process took it for a leftover, and removed it
 * before the lock.
 */
static bool
lock(int fd)
{
    struct stat st;

    return flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 && st.st_nlink > 0;
}

int
store_begin(struct store_file *f, int dir)
{
    f->dir = dir;
    for (u32 i = 0; i < TRIES; i++) {
        tmp_name(f->tmp);
        f->fd = openat(dir, f->tmp,
                       O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (f->fd < 0 && errno != EEXIST)
            return -errno;
        if (f->fd >= 0 && lock(f->fd))
            return 0;
        if (f->fd >= 0)
            close(f->fd);
    }
    return -EBUSY;
}

void
store_abandon(struct store_file *f)
{
    unlinkat(f->dir, f->tmp, 0);
    close(f->fd);
}

int
store_commit(struct store_file *f, const char *name)
{
    int status = 0;

    if (renameat(f->dir, f->tmp, f->dir, name) < 0) {
        status = -errno;
        unlinkat(f->dir, f->tmp, 0);
    }
    close(f->fd);
    return status;
}

static int
copy_bytes(int from, int to)
{
    char buf[65536];
    ssize_t n;
    int status;

    while ((n = read(from, buf, sizeof(buf))) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        status = writeall(to, buf, (size_t)n);
        if (status < 0)
            return status;
    }
    return 0;
}

int
store_copy(int from, int to)
{
    ssize_t n;

    if (ioctl(to, FICLONE, from) == 0)
        return 0;
    do {
        n = copy_file_range(from, NULL, to, NULL, (size_t)1 << 30, 0);
    } while (n > 0);
    /* Copy what remains, from the offsets that copy_file_range() has reached. */
    return copy_bytes(from, to);
}

/* What store_link() does if no link can be made: copies the file under the new name. */
static int
link_by_copy(int from, const char *name, int to, const char *new)
{
    int in = openat(from, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), status;
    struct store_file f;

    if (in < 0)
        return -errno;
    status = store_begin(&f, to);
    if (status == 0) {
        status = store_copy(in, f.fd);
        if (status == 0)
            status = store_commit(&f, new);
        else
            store_abandon(&f);
    }
    close(in);
    return status;
}

int
store_link(int from, const char *name, int to, const char *new)
{
    char tmp[STORE_TMP_MAX];
    int status = 0;

    if (linkat(from, name, to, new, 0) == 0)
        return 0;
    if (errno != EEXIST)
        return errno == ENOENT ? -ENOENT : link_by_copy(from, name, to, new);
    tmp_name(tmp);
    if (linkat(from, name, to, tmp, 0) < 0)
        return link_by_copy(from, name, to, new);
    if (renameat(to, tmp, to, new) < 0)
        status = link_by_copy(from, name, to, new);
    unlinkat(to, tmp, 0); /* rename() leaves `tmp` if both names are the same file */
    return status;
}

/* Calls `visit` for each entry that begins with `prefix`. */
static void
for_each(int dir, const char *prefix, void (*visit)(int, const char *, void *),
         void *context)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *e;

    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((e = readdir(d)) != NULL)
        if (strncmp(e->d_name, prefix, strlen(prefix)) == 0)
            visit(dir, e->d_name, context);
    closedir(d);
}

static void
clean_one(int dir, const char *name, void *context)
{
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    (void)context;
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(dir, name, 0);
    close(fd);
}

void
store_clean(int dir)
{
    for_each(dir, TMP_PREFIX, clean_one, NULL);
}

struct entry {
    char *name;
    u64 bytes;
    struct timespec used;
};

struct entries {
    struct entry *at;
    u32 count;
    u32 capacity;
    u64 bytes;
};

static void
list_one(int dir, const char *name, void *context)
{
    struct entries *list = context;
    struct stat st;

    if (name[0] == '.' || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    if (list->count == list->capacity) {
        u32 capacity = list->capacity ? list->capacity * 2 : 256;
        struct entry *at = realloc(list->at, capacity * sizeof(*at));

        if (!at)
            return;
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count] =
        (struct entry){strdup(name), (u64)st.st_blocks * 512, st.st_mtim};
    list->bytes += list->at[list->count++].bytes;
}

static int
compare_used(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

void
store_evict(int dir, u64 limit)
{
    struct entries list = {0};

    for_each(dir, "", list_one, &list);
    if (list.bytes > limit)
        qsort(list.at, list.count, sizeof(*list.at), compare_used);
    for (u32 i = 0; i < list.count && list.bytes > limit; i++)
        if (list.at[i].name && unlinkat(dir, list.at[i].name, 0) == 0)
            list.bytes -= list.at[i].bytes;
    for (u32 i = 0; i < list.count; i++)
        free(list.at[i].name);
    free(list.at);
}

void
store_used(int dir, const char *name)
{
    struct stat st;

    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        time(NULL) - st.st_mtime > 3600)
        utimensat(dir, name, NULL, AT_SYMLINK_NOFOLLOW);
}
