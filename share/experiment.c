/* SPDX-License-Identifier: Apache-2.0 */
#include "share/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CONTROL_BYTES = 4096,
    FIRST_BYTES = 4096, /* what a short run touches of a file */
    TEXT_BYTES = 65536, /* set aside for events: a full disk is one of them */
    FILE_FLAGS = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
};

_Static_assert(sizeof(struct ctl) <= CONTROL_BYTES, "the control page is one page");

/* Zeros into [from, to): for file systems that cannot reserve. */
static int
write_zeros(int fd, u64 from, u64 to)
{
    static const char zeros[65536];

    while (from < to) {
        u64 len = to - from < sizeof(zeros) ? to - from : sizeof(zeros);
        ssize_t done = pwrite(fd, zeros, len, (off_t)from);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done ? -errno : -EIO;
        from += (u64)done;
    }
    return 0;
}

static int
reserve(int fd, u64 from, u64 to)
{
    int ret;

    do
        ret = fallocate(fd, 0, (off_t)from, (off_t)(to - from));
    while (ret < 0 && errno == EINTR);
    if (ret == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS)
        return -errno;
    return write_zeros(fd, from, to);
}

/* The target may make its files longer, too. */
static void
raise_reserved(struct ctl_file *cf, u64 *have, u64 to)
{
    if (__atomic_compare_exchange_n(&cf->reserved, have, to, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
        *have = to;
}

int
experiment_grow(struct experiment *e, enum er_file file, u64 want)
{
    struct ctl_file *cf = &e->ctl->file[file];
    u64 have = __atomic_load_n(&cf->reserved, __ATOMIC_RELAXED);

    while (have < want) {
        int ret = reserve(e->file[file], have, have + ER_SEGMENT);

        if (ret < 0)
            return ret;
        raise_reserved(cf, &have, have + ER_SEGMENT);
    }
    return 0;
}

int
experiment_is_trace(enum er_file file)
{
    return er_files[file].chunk_max > 65536;
}

static int
make_control(struct experiment *e)
{
    int fd = openat(e->dir, EXPERIMENT_CONTROL, FILE_FLAGS, 0600);
    void *page;
    int ret;

    if (fd < 0)
        return -errno;
    /* Written, not only made long: a store to the mapping must find its block. */
    ret = write_zeros(fd, 0, CONTROL_BYTES);
    page = ret < 0
               ? MAP_FAILED
               : mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (ret == 0 && page == MAP_FAILED)
        ret = -errno;
    close(fd);
    if (ret < 0)
        return ret;
    e->ctl = page;
    e->ctl->version = ER_CTL_VERSION;
    __atomic_store_n(&e->ctl->magic, ER_CTL_MAGIC, __ATOMIC_RELEASE);
    return 0;
}

static int
make_data(struct experiment *e)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        int ret;

        e->file[i] = openat(e->dir, er_files[i].name, FILE_FLAGS, 0600);
        if (e->file[i] < 0)
            return -errno;
        if (experiment_is_trace((enum er_file)i))
            continue;
        ret = experiment_grow(e, (enum er_file)i, ER_SEGMENT);
        /* A page in the cache spares the target a fault that reads 128 KiB. */
        if (ret == 0)
            ret = write_zeros(e->file[i], 0, FIRST_BYTES);
        if (ret < 0)
            return ret;
    }
    /* The two that fill first. No room for more than one segment is no error yet. */
    (void)experiment_grow(e, FILE_profile, 2 * ER_SEGMENT);
    (void)experiment_grow(e, FILE_frameinfo, 2 * ER_SEGMENT);
    return 0;
}

static int
make_text(struct experiment *e, const char *name, int *fd)
{
    *fd = openat(e->dir, name, FILE_FLAGS | O_APPEND, 0600);
    if (*fd < 0)
        return -errno;
    if (fallocate(*fd, FALLOC_FL_KEEP_SIZE, 0, TEXT_BYTES) < 0 && errno == ENOSPC)
        return -ENOSPC;
    return 0;
}

/* Give back what was set aside and not used. */
static void
trim_text(int fd)
{
    struct stat st;

    if (fstat(fd, &st) == 0)
        (void)!ftruncate(fd, st.st_size);
}

static int
make_files(struct experiment *e)
{
    int ret = make_text(e, EXPERIMENT_LOG, &e->log);

    if (ret == 0)
        ret = make_text(e, EXPERIMENT_MAP, &e->map);
    if (ret == 0)
        ret = make_control(e);
    if (ret < 0)
        return ret;
    return make_data(e);
}

/* Make and open the directory; umask is narrow already. */
static int
make_directory(struct experiment *e, int parent, const char *name)
{
    if (mkdirat(parent, name, 0700) < 0)
        return -errno;
    e->dir = openat(parent, name, O_DIRECTORY | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (e->dir < 0) {
        int ret = -errno;

        (void)unlinkat(parent, name, AT_REMOVEDIR);
        return ret;
    }
    return make_files(e);
}

int
experiment_create(struct experiment *e, int parent, const char *name)
{
    struct experiment made = { .dir = -1, .log = -1, .map = -1 };
    mode_t mask = umask(077);
    int ret;

    for (int i = 0; i < FILE_COUNT; i++)
        made.file[i] = -1;
    ret = make_directory(&made, parent, name);
    umask(mask);
    if (ret == 0)
        *e = made;
    else if (made.dir >= 0)
        experiment_discard(&made, parent, name);
    return ret;
}

void
experiment_trim(struct experiment *e)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        u64 next = __atomic_load_n(&e->ctl->file[i].next, __ATOMIC_ACQUIRE);

        /* Given out beyond what there is: a claim that came to nothing. */
        if (next > e->ctl->file[i].reserved)
            next = e->ctl->file[i].reserved;
        (void)!ftruncate(e->file[i], (off_t)next);
        if (!e->ctl->file[i].reserved)
            (void)unlinkat(e->dir, er_files[i].name, 0);
    }
    trim_text(e->log);
    trim_text(e->map);
    (void)unlinkat(e->dir, EXPERIMENT_CONTROL, 0);
}

static void
close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void
experiment_close(struct experiment *e)
{
    for (int i = 0; i < FILE_COUNT; i++)
        close_one(&e->file[i]);
    close_one(&e->map);
    close_one(&e->log);
    close_one(&e->dir);
    if (e->ctl)
        munmap(e->ctl, CONTROL_BYTES);
    e->ctl = NULL;
}

void
experiment_discard(struct experiment *e, int parent, const char *name)
{
    for (int i = 0; i < FILE_COUNT; i++)
        (void)unlinkat(e->dir, er_files[i].name, 0);
    (void)unlinkat(e->dir, EXPERIMENT_NOTES, 0);
    (void)unlinkat(e->dir, EXPERIMENT_CONTROL, 0);
    (void)unlinkat(e->dir, EXPERIMENT_MAP, 0);
    (void)unlinkat(e->dir, EXPERIMENT_LOG, 0);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
    experiment_close(e);
}
