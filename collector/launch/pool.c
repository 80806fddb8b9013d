/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRESH ".fresh" /* name of a file's copy, until it gets the file's name */

enum {
    KEPT_MAX = 8,      /* files of each kind in the pool */
    USED_MAX = 65536,  /* bytes in use of a file that is worth a copy */
    NAME_BYTES = 64,
};

/* The kinds of files that are kept: each data file, and after them control pages. */
enum {
    CONTROLS = FILE_COUNT,
    KINDS,
};

struct spare {
    int fd;          /* descriptor of a data file */
    struct ctl *ctl; /* mapped control page; NULL = a data file */
    int dir; /* its old directory, where it has its usual name; -1: it is in `top` */
    u32 number; /* number in its name in `top` */
    u64 reserved;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct spare spares[KINDS][KEPT_MAX];
static u32 kept[KINDS], numbers;
static int top = -1; /* the founder's directory */

static const char *
usual_name(int kind)
{
    return kind == CONTROLS ? EXPERIMENT_CONTROL : er_files[kind].name;
}

static void
name_of(int kind, const struct spare *spare, char name[NAME_BYTES])
{
    const char *usual = usual_name(kind);

    if (spare->dir >= 0)
        snprintf(name, NAME_BYTES, "%s", usual);
    else
        snprintf(name, NAME_BYTES, EXPERIMENT_SPARE "%s-%u", usual + (*usual == '.'),
                 spare->number);
}

static int
dir_of(const struct spare *spare)
{
    return spare->dir >= 0 ? spare->dir : top;
}

void
pool_start(int directory)
{
    top = directory;
}

/*
 * Take the file that was put there last, since its pages are most likely in the caches.
 */
static int
pop(int kind, struct spare *spare)
{
    int found = 0;

    pthread_mutex_lock(&lock);
    if (kept[kind]) {
        *spare = spares[kind][--kept[kind]];
        found = 1;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static int
push(int kind, const struct spare *spare)
{
    int has_room;

    pthread_mutex_lock(&lock);
    has_room = kept[kind] < KEPT_MAX;
    if (has_room)
        spares[kind][kept[kind]++] = *spare;
    pthread_mutex_unlock(&lock);
    return has_room;
}

static void
leave_dir(const struct spare *spare)
{
    if (spare->dir >= 0)
        close(spare->dir);
}

static void
drop(int kind, const struct spare *spare)
{
    char name[NAME_BYTES];

    name_of(kind, spare, name);
    (void)unlinkat(dir_of(spare), name, 0);
    leave_dir(spare);
    if (spare->ctl)
        experiment_unmap(spare->ctl);
    else
        close(spare->fd);
}

/* Keep a file, which is all zeros again, if there is room for it; else remove it. */
static void
keep(int kind, const struct spare *spare)
{
    if (!push(kind, spare))
        drop(kind, spare);
}

/* Move the file that was kept last into dir, under its usual name. 0, or -ENOENT. */
static int
move_in(int kind, int dir, struct spare *spare)
{
    char name[NAME_BYTES];

    if (!pop(kind, spare))
        return -ENOENT;
    name_of(kind, spare, name);
    if (renameat(dir_of(spare), name, dir, usual_name(kind)) < 0) {
        drop(kind, spare);
        return -ENOENT;
    }
    leave_dir(spare);
    return 0;
}

int
pool_acquire(enum er_file file, int dir, u64 *reserved)
{
    struct spare spare;
    int ret = move_in(file, dir, &spare);

    if (ret < 0)
        return ret;
    *reserved = spare.reserved;
    return spare.fd;
}

static struct ctl *
acquire_control(int dir)
{
    struct spare spare;

    return move_in(CONTROLS, dir, &spare) == 0 ? spare.ctl : NULL;
}

const struct experiment_supply pool_supply = { pool_acquire, acquire_control };

/*
 * Write [0, size) of a file: with zeros if from < 0, else with the bytes of the file
 * `from`.
 */
static int
put_bytes(int to, int from, u64 size)
{
    static __thread char bytes[8192];

    for (u64 at = 0; at < size;) {
        u64 most = size - at < sizeof(bytes) ? size - at : sizeof(bytes);
        ssize_t len = (ssize_t)most;

        if (from < 0)
            memset(bytes, 0, most);
        else
            len = pread(from, bytes, most, (off_t)at);
        if (len <= 0 || pwrite(to, bytes, (size_t)len, (off_t)at) != len)
            return -EIO;
        at += (u64)len;
    }
    return 0;
}

/*
 * Put a new file with only the used part in the place of the old one, which then has
 * the name `spare`.
 */
static int
replace(struct expdir *e, enum er_file file, u64 used, const char *spare)
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
pool_add(struct expdir *e, enum er_file file)
{
    struct spare spare = { .fd = e->file[file], .dir = -1 };
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
    name_of(file, &spare, name);
    ret = replace(e, file, used, name);
    if (ret < 0)
        return ret;
    e->file[file] = -1;
    if (put_bytes(spare.fd, -1, used) == 0)
        keep(file, &spare);
    else
        drop(file, &spare);
    return 0;
}

int
pool_is_unused(const struct expdir *e, enum er_file file)
{
    const struct ctl_file *cf = &e->ctl->file[file];
    u64 used = __atomic_load_n(&cf->next, __ATOMIC_ACQUIRE);
    u64 head = file == FILE_frameinfo ? ER_NODE_BYTES : 0;

    return e->file[file] >= 0 && file != FILE_threads && used <= head &&
           cf->reserved && cf->reserved < ER_SEGMENT;
}

int
pool_add_unused(struct expdir *e, enum er_file file)
{
    const struct ctl_file *cf = &e->ctl->file[file];
    struct spare spare = { .fd = e->file[file], .reserved = cf->reserved };

    if (top < 0 || kept[file] == KEPT_MAX)
        return -ENOSPC;
    spare.dir = fcntl(e->dir, F_DUPFD_CLOEXEC, 0);
    if (spare.dir < 0)
        return -errno;
    e->file[file] = -1;
    if (put_bytes(spare.fd, -1, cf->next) == 0)
        keep(file, &spare);
    else
        drop(file, &spare);
    return 0;
}

int
pool_add_control(struct expdir *e)
{
    struct spare spare = { .ctl = e->ctl };

    if (top < 0 || kept[CONTROLS] == KEPT_MAX)
        return -ENOSPC;
    spare.dir = fcntl(e->dir, F_DUPFD_CLOEXEC, 0);
    if (spare.dir < 0)
        return -errno;
    e->ctl = NULL;
    memset(spare.ctl, 0, sizeof(*spare.ctl));
    keep(CONTROLS, &spare);
    return 0;
}

void
pool_end(void)
{
    struct spare spare;

    for (int i = 0; i < KINDS; i++)
        while (pop(i, &spare))
            drop(i, &spare);
    top = -1;
}
