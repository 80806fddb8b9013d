/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/tidy.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "share/ctl.h"
#include "share/experiment.h"
#include "share/record.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

enum {
    LEAST = 4096, /* bytes: unused space up to this is not cut off */
};

/*
 * Does this file system refuse a lease if any process has the file open, or mapped, for
 * writing? Overlayfs and network file systems do not always do so.
 */
static bool
detects_writers(int dir)
{
    struct statfs fs;

    return fstatfs(dir, &fs) == 0 &&
           (fs.f_type == EXT4_SUPER_MAGIC || fs.f_type == BTRFS_SUPER_MAGIC ||
            fs.f_type == TMPFS_MAGIC || fs.f_type == XFS_SUPER_MAGIC);
}

/* Opens a regular file that has no other hard links. Returns -1 for any other file. */
static int
open_file(int dir, const char *name, int flags)
{
    int fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;

    if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink > 1)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/*
 * Does no process have the file open for writing? True also if there is no file; false
 * if that cannot be found out.
 */
static bool
has_no_writer(int dir, const char *name)
{
    int fd = open_file(dir, name, O_RDONLY);
    bool none;

    if (fd < 0)
        return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0;
    none = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    close(fd);
    return none;
}

static bool
is_over(int dir)
{
    if (!has_no_writer(dir, EXPERIMENT_CONTROL) ||
        !has_no_writer(dir, EXPERIMENT_LOG) || !has_no_writer(dir, EXPERIMENT_MAP))
        return false;
    for (int i = 0; i < FILE_COUNT; i++)
        if (!has_no_writer(dir, er_files[i].name))
            return false;
    return true;
}

/* Are there only zeros in [from, to)? */
static bool
is_blank(int fd, u64 from, u64 to)
{
    static const char zeros[65536];
    char bytes[sizeof(zeros)];

    while (from < to) {
        u64 most = to - from < sizeof(bytes) ? to - from : sizeof(bytes);
        ssize_t len = pread(fd, bytes, most, (off_t)from);

        if (len <= 0 || memcmp(bytes, zeros, (size_t)len) != 0)
            return false;
        from += (u64)len;
    }
    return true;
}

/*
 * Cuts off the space past `used` bytes, if it has only zeros: after a power failure,
 * there may be records that the control page does not count.
 */
static void
trim(int dir, const char *name, u64 used)
{
    int fd = open_file(dir, name, O_RDWR);
    struct stat st;

    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && (u64)st.st_size > used + LEAST &&
        is_blank(fd, used, (u64)st.st_size))
        (void)!ftruncate(fd, (off_t)used);
    close(fd);
}

static bool
read_page(int dir, struct ctl *ctl)
{
    int fd = open_file(dir, EXPERIMENT_CONTROL, O_RDONLY);
    bool ours;

    if (fd < 0)
        return false;
    ours = pread(fd, ctl, sizeof(*ctl), 0) == (ssize_t)sizeof(*ctl) &&
           ctl->magic == ER_CTL_MAGIC && ctl->version == ER_CTL_VERSION;
    close(fd);
    return ours;
}

/*
 * Removes the control page, so that no process opens it again and the sizes of files in
 * it are final. Then trims the data files to these sizes.
 */
static void
remove_control(int dir)
{
    struct ctl ctl;
    bool ours = read_page(dir, &ctl);

    if (unlinkat(dir, EXPERIMENT_CONTROL, 0) < 0 || !ours)
        return;
    for (int i = 0; i < FILE_COUNT; i++) {
        const struct ctl_file *file = &ctl.file[i];

        if (file->reserved)
            trim(dir, er_files[i].name,
                 file->next < file->reserved ? file->next : file->reserved);
    }
}

static void
tidy_one(int dir)
{
    if (faccessat(dir, EXPERIMENT_CONTROL, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
        detects_writers(dir) && is_over(dir))
        remove_control(dir);
}

static void
tidy_entry(int dir, const char *name, bool subs)
{
    const char *end = strrchr(name, '.');
    int sub;

    if (!strncmp(name, EXPERIMENT_SPARE, strlen(EXPERIMENT_SPARE))) {
        if (detects_writers(dir) && has_no_writer(dir, name))
            (void)unlinkat(dir, name, 0);
        return;
    }
    if (!subs || !end || end == name || strcmp(end, EXPERIMENT_SUFFIX) != 0)
        return;
    sub = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (sub < 0)
        return;
    tidy_one(sub);
    close(sub);
}

void
tidy(int dir, bool subs)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    void (*before)(int);
    struct dirent *e;

    if (!d) {
        if (fd >= 0)
            close(fd);
        return;
    }
    /* If a process opens a file that is leased, the kernel sends SIGIO: ignore it. */
    before = signal(SIGIO, SIG_IGN);
    tidy_one(dir);
    while ((e = readdir(d)) != NULL)
        tidy_entry(dir, e->d_name, subs);
    closedir(d);
    signal(SIGIO, before);
}
