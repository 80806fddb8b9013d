/* SPDX-License-Identifier: Apache-2.0 */
#include "share/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "share/fmt.h"

enum {
    CONTROL_BYTES = 4096,
    FIRST_BYTES = 4096, /* what a short run touches of a file */
    ZEROS = 65536,
    LEFT_BYTES = 4096,  /* as many unused bytes may stay at a file's end */
    TEXT_BYTES = 65536, /* set aside for events: a full disk is one of them */
    FILE_FLAGS = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
};

_Static_assert(sizeof(struct ctl) <= CONTROL_BYTES, "the control page is one page");

/* Write zeros to [from, to); for file systems that cannot reserve space. */
static int
write_zeros(int fd, u64 from, u64 to)
{
    static const char zeros[ZEROS];

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

/*
 * Raise cf->reserved from *have to `to`; *have becomes the new value, or a greater one
 * that the target has set in the meantime.
 */
static void
raise_reserved(struct ctl_file *cf, u64 *have, u64 to)
{
    if (__atomic_compare_exchange_n(&cf->reserved, have, to, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
        *have = to;
}

static int
make_file(struct expdir *e, enum er_file file)
{
    int fd = openat(e->dir, er_files[file].name, FILE_FLAGS, 0600);

    if (fd < 0)
        return -errno;
    e->file[file] = fd;
    return 0;
}

static u64
length_of(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 ? (u64)st.st_size : 0;
}

int
experiment_grow(struct expdir *e, enum er_file file, u64 want)
{
    struct ctl_file *cf = &e->ctl->file[file];
    u64 have = __atomic_load_n(&cf->reserved, __ATOMIC_RELAXED);

    if (e->file[file] < 0 && have < want) {
        int ret = make_file(e, file);

        if (ret < 0)
            return ret;
        (void)fchmod(e->file[file], 0600); /* whatever the umask is by now */
    }
    /*
     * Refuse if somebody has truncated the file, or a stray store of the target has
     * changed the control page. This is reported elsewhere.
     */
    if (have > length_of(e->file[file]) + ER_SEGMENT)
        return -EIO;
    while (have < want) {
        u64 to = ctl_next_segment(have);
        int ret = reserve(e->file[file], have, to);

        if (ret < 0)
            return ret;
        raise_reserved(cf, &have, to);
    }
    return 0;
}

int
experiment_is_optional(enum er_file file)
{
    return er_files[file].chunk_max > 65536 || file == FILE_hwcounters ||
           file == FILE_madecode;
}

static int
make_page(struct expdir *e)
{
    int fd = openat(e->dir, EXPERIMENT_CONTROL, FILE_FLAGS, 0600);
    void *page;
    int ret;

    if (fd < 0)
        return -errno;
    /*
     * Write zeros, so that the file has its block: a store to the mapping must not
     * fail.
     */
    ret = write_zeros(fd, 0, CONTROL_BYTES);
    page = ret < 0
               ? MAP_FAILED
               : mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (ret == 0 && page == MAP_FAILED)
        ret = -errno;
    close(fd);
    if (ret == 0)
        e->ctl = page;
    return ret;
}

static int
make_control(struct expdir *e, const struct experiment_supply *supply)
{
    int ret = 0;

    e->ctl = supply ? supply->control(e->dir) : NULL;
    if (!e->ctl)
        ret = make_page(e);
    if (ret < 0)
        return ret;
    e->ctl->version = ER_CTL_VERSION;
    __atomic_store_n(&e->ctl->magic, ER_CTL_MAGIC, __ATOMIC_RELEASE);
    return 0;
}

/* Make a data file with its first segment reserved. */
static int
make_reserved(struct expdir *e, enum er_file file)
{
    int ret = experiment_grow(e, file, ER_SEGMENT);

    /*
     * Writing the first page puts it into the page cache. Else the target's first store
     * would fault and read 128 KiB.
     */
    return ret < 0 ? ret : write_zeros(e->file[file], 0, FIRST_BYTES);
}

/*
 * Make a data file for a process that may end soon: some KiB of zeros are written, so
 * that its pages are cached, but no segment is reserved.
 */
static int
make_small(struct expdir *e, enum er_file file,
           const struct experiment_supply *supply)
{
    static const u64 most[FILE_COUNT] = {
        [FILE_overview] = 4096,
        [FILE_profile] = 8192, /* when half of it is in use, it is extended */
        [FILE_frameinfo] = 16384,
        [FILE_threads] = 4096,
    };
    u64 bytes = most[file];
    int ret = 0;

    e->file[file] = supply ? supply->file(file, e->dir, &bytes) : -1;
    if (e->file[file] < 0) {
        ret = make_file(e, file);
        if (ret == 0)
            ret = write_zeros(e->file[file], 0, bytes);
    }
    if (ret == 0)
        __atomic_store_n(&e->ctl->file[file].reserved, bytes, __ATOMIC_RELEASE);
    return ret;
}

static int
make_small_data(struct expdir *e, const struct experiment_supply *supply)
{
    int ret = 0;

    for (int i = 0; i < FILE_COUNT && ret == 0; i++)
        if (!experiment_is_optional((enum er_file)i))
            ret = make_small(e, (enum er_file)i, supply);
    return ret;
}

static int
make_data(struct expdir *e)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        int ret = experiment_is_optional((enum er_file)i)
                      ? 0
                      : make_reserved(e, (enum er_file)i);

        if (ret < 0)
            return ret;
    }
    /*
     * These two files fill first. It is not an error yet if there is room for only one
     * segment.
     */
    (void)experiment_grow(e, FILE_profile, 2 * ER_SEGMENT);
    (void)experiment_grow(e, FILE_frameinfo, 2 * ER_SEGMENT);
    return 0;
}

static int
make_text(struct expdir *e, const char *name, int *fd, int aside)
{
    *fd = openat(e->dir, name, FILE_FLAGS | O_APPEND, 0600);
    if (*fd < 0)
        return -errno;
    if (aside && fallocate(*fd, FALLOC_FL_KEEP_SIZE, 0, TEXT_BYTES) < 0 &&
        (errno == ENOSPC || errno == EDQUOT))
        return -errno;
    return 0;
}

/* Free the space of a text file that was reserved but not used. */
static void
trim_text(int fd)
{
    struct stat st;

    if (fstat(fd, &st) == 0 && st.st_blocks * 512 >= st.st_size + CONTROL_BYTES)
        (void)!ftruncate(fd, st.st_size);
}

static int
make_files(struct expdir *e, int small, const struct experiment_supply *supply)
{
    int ret = make_text(e, EXPERIMENT_LOG, &e->log, !small);

    if (ret == 0)
        ret = make_text(e, EXPERIMENT_MAP, &e->map, !small);
    if (ret == 0)
        ret = make_control(e, supply);
    if (ret < 0)
        return ret;
    return small ? make_small_data(e, supply) : make_data(e);
}

/*
 * btrfs writes a changed page to another place than the one that was reserved. If the
 * disk is full, or a quota used up, that fails and the store gets a SIGBUS. In a
 * directory with this flag, new files are written in place.
 */
static void
write_in_place(int dir)
{
    struct statfs fs;
    int flags;

    if (fstatfs(dir, &fs) < 0 || fs.f_type != BTRFS_SUPER_MAGIC ||
        ioctl(dir, FS_IOC_GETFLAGS, &flags) < 0)
        return;
    flags |= FS_NOCOW_FL;
    (void)ioctl(dir, FS_IOC_SETFLAGS, &flags);
}

/* Make and open the directory; umask allows only the user's own access already. */
static int
make_directory(struct expdir *e, int parent, const char *name)
{
    if (mkdirat(parent, name, 0700) < 0)
        return -errno;
    e->dir = openat(parent, name, O_DIRECTORY | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (e->dir < 0) {
        int ret = -errno;

        (void)unlinkat(parent, name, AT_REMOVEDIR);
        return ret;
    }
    write_in_place(e->dir);
    return 0;
}

static int
create(struct expdir *e, int parent, const char *name, int small,
       const struct experiment_supply *supply)
{
    struct expdir made = { .dir = -1, .log = -1, .map = -1 };
    mode_t mask = umask(077);
    int ret;

    for (int i = 0; i < FILE_COUNT; i++)
        made.file[i] = -1;
    ret = make_directory(&made, parent, name);
    if (ret == 0)
        ret = make_files(&made, small, supply);
    umask(mask);
    if (ret == 0)
        *e = made;
    else if (made.dir >= 0)
        experiment_discard(&made, parent, name);
    return ret;
}

int
experiment_create(struct expdir *e, int parent, const char *name)
{
    return create(e, parent, name, 0, NULL);
}

int
experiment_create_small(struct expdir *e, int parent, const char *name,
                        const struct experiment_supply *supply)
{
    return create(e, parent, name, 1, supply);
}

static u64
used_bytes(const struct expdir *e, enum er_file file)
{
    const struct ctl_file *cf = &e->ctl->file[file];
    u64 next = __atomic_load_n(&cf->next, __ATOMIC_ACQUIRE);

    /*
     * `next` can be beyond the file's end: a thread has asked for space in vain, or a
     * stray store of the target has changed it.
     */
    return next > cf->reserved ? cf->reserved : next;
}

void
experiment_trim_file(struct expdir *e, enum er_file file)
{
    u64 size = used_bytes(e, file);
    u64 length = e->file[file] >= 0 ? length_of(e->file[file]) : 0;

    /* Cutting off less than this is not worth its cost. */
    if (length > size && length - size > LEFT_BYTES)
        (void)!ftruncate(e->file[file], (off_t)size);
}

void
experiment_sizes(const struct expdir *e, char text[EXPERIMENT_SIZES])
{
    struct fmt f = fmt_start(text, EXPERIMENT_SIZES - 1);

    for (int i = 0; i < FILE_COUNT; i++) {
        u64 size = used_bytes(e, (enum er_file)i);

        /*
         * If threads asked for space in vain, it is not known which bytes are in use:
         * leave the file out.
         */
        if (!size || e->ctl->file[i].next > e->ctl->file[i].reserved)
            continue;
        if (f.at > text)
            fmt_char(&f, ' ');
        fmt_str(&f, er_files[i].name);
        fmt_char(&f, ':');
        fmt_u64(&f, size);
    }
    *f.at = 0;
}

void
experiment_trim_rest(struct expdir *e)
{
    trim_text(e->log);
    trim_text(e->map);
    if (e->ctl)
        (void)unlinkat(e->dir, EXPERIMENT_CONTROL, 0);
    (void)unlinkat(e->dir, EXPERIMENT_CALLS, 0);
}

void
experiment_trim_data(struct expdir *e)
{
    for (int i = 0; i < FILE_COUNT; i++)
        experiment_trim_file(e, (enum er_file)i);
    trim_text(e->log);
    trim_text(e->map);
}

void
experiment_trim(struct expdir *e)
{
    experiment_trim_data(e);
    experiment_trim_rest(e);
}

static void
close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void
experiment_unmap(struct ctl *ctl)
{
    munmap(ctl, CONTROL_BYTES);
}

static void
close_files(struct expdir *e)
{
    for (int i = 0; i < FILE_COUNT; i++)
        close_one(&e->file[i]);
    close_one(&e->map);
    close_one(&e->log);
    if (e->ctl)
        experiment_unmap(e->ctl);
    e->ctl = NULL;
}

void
experiment_close(struct expdir *e)
{
    close_files(e);
    close_one(&e->dir);
}

/*
 * Close files first: some file systems rename an open file that is removed, and keep
 * it.
 */
void
experiment_discard(struct expdir *e, int parent, const char *name)
{
    close_files(e);
    for (int i = 0; i < FILE_COUNT; i++)
        (void)unlinkat(e->dir, er_files[i].name, 0);
    (void)unlinkat(e->dir, EXPERIMENT_NOTES, 0);
    (void)unlinkat(e->dir, EXPERIMENT_CONTROL, 0);
    (void)unlinkat(e->dir, EXPERIMENT_CALLS, 0);
    (void)unlinkat(e->dir, EXPERIMENT_MAP, 0);
    (void)unlinkat(e->dir, EXPERIMENT_LOG, 0);
    close_one(&e->dir);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}
