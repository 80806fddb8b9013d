/* SPDX-License-Identifier: Apache-2.0 */
#include "share/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
    LINKS = 40, /* as many as the kernel follows */
    AGAIN = 1,  /* path has become another one: open that */
};

struct place {
    int dir; /* what path is relative to */
    char path[PATH_MAX];
};

/* Did another user put this entry into a shared directory with the sticky bit? */
static int
is_planted(const struct stat *dir, const struct stat *st)
{
    return dir->st_mode & S_ISVTX && dir->st_mode & (S_IWGRP | S_IWOTH) &&
           st->st_uid != geteuid() && st->st_uid != dir->st_uid;
}

/* Is the directory in /proc? Links there, such as /proc/self/fd/1, are not paths. */
static int
is_proc(int dir)
{
    struct statfs fs;

    return fstatfs(dir, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/*
 * Open the directory of the path; p->path becomes the last name in it. A descriptor or
 * -errno.
 */
static int
enter(struct place *p)
{
    char *slash = strrchr(p->path, '/');
    char *name = slash ? slash + 1 : p->path;
    int fd;

    if (slash == p->path)
        fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    else if (slash)
        *slash = '\0';
    if (slash != p->path)
        fd = openat(p->dir, slash ? p->path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    memmove(p->path, name, strlen(name) + 1);
    return fd;
}

static int
follow(struct place *p, int link)
{
    ssize_t len = readlinkat(link, "", p->path, sizeof(p->path));

    if (len < 0)
        return -errno;
    if (len == sizeof(p->path))
        return -ENAMETOOLONG;
    p->path[len] = '\0';
    return AGAIN;
}

/*
 * Open for writing the file that is open as `there` with O_PATH: by /proc, or without
 * /proc by its name.
 */
static int
open_again(int dir, const char *name, int there, int flags)
{
    char path[32];
    int fd;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", there);
    fd = open(path, flags);
    if (fd < 0 && errno == ENOENT)
        fd = openat(dir, name, flags | O_NOFOLLOW);
    return fd < 0 ? -errno : fd;
}

/*
 * Open p->path, which is one name, in p->dir. Returns a descriptor or -errno. But if
 * *again becomes AGAIN, the caller must open p->path again: it is now a link's target,
 * or another process has just made the file.
 */
static int
open_name(struct place *p, const struct stat *dir, int flags, int *again)
{
    int there = openat(p->dir, p->path, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd;
    struct stat st;

    if (there < 0 && errno == ENOENT) {
        fd = openat(p->dir, p->path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
        *again = fd < 0 && errno == EEXIST ? AGAIN : 0;
        return fd < 0 ? -errno : fd;
    }
    if (there < 0 || fstat(there, &st) < 0)
        fd = -errno;
    else if (is_planted(dir, &st))
        fd = -EPERM;
    else if (S_ISLNK(st.st_mode) && !is_proc(p->dir))
        fd = *again = follow(p, there);
    else if (S_ISLNK(st.st_mode))
        fd = (fd = openat(p->dir, p->path, flags)) < 0 ? -errno : fd;
    else
        fd = open_again(p->dir, p->path, there, flags);
    if (there >= 0)
        close(there);
    return fd;
}

int
outfile_open(const char *path, int flags)
{
    struct place p = { .dir = AT_FDCWD };
    int ret = -ELOOP, again = AGAIN;
    struct stat dir;

    flags |= O_CLOEXEC | O_NOCTTY;
    if (!(flags & O_RDWR))
        flags |= O_WRONLY;
    if (!*path)
        return -ENOENT;
    if (strlen(path) >= sizeof(p.path))
        return -ENAMETOOLONG;
    strcpy(p.path, path);
    for (int i = 0; i < LINKS && again > 0; i++) {
        int next = enter(&p);

        again = 0;
        if (p.dir >= 0)
            close(p.dir);
        p.dir = next;
        if (next < 0)
            return next;
        if (!*p.path)
            ret = -EISDIR;
        else if (fstat(next, &dir) < 0)
            ret = -errno;
        else
            ret = open_name(&p, &dir, flags, &again);
    }
    close(p.dir);
    return again > 0 ? -ELOOP : ret;
}

const char *
outfile_error(int error)
{
    return error == -EPERM ? "somebody else put it there, in a directory of all"
                           : strerror(-error);
}
