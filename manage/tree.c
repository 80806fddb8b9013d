/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/err.h"
#include "share/experiment.h"
#include "share/mpijob.h"
#include "share/types.h"
#include "share/writeall.h"

#define TMP_PREFIX ".er_tmp-"

enum {
    DEPTH_MAX = 32,   /* directories in each other that are copied */
    HIDDEN_MAX = 48,  /* bytes of a hidden name, with its final zero */
    PIECE = 16 << 20, /* bytes, between two looks for a signal */
};

volatile sig_atomic_t tree_signal;

static void
on_signal(int sig)
{
    tree_signal = sig;
}

void
tree_signals(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action = { .sa_handler = on_signal }, old;

    for (size_t i = 0; i < ER_COUNT(signals); i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

void
tree_end_by_signal(void)
{
    if (!tree_signal)
        return;
    signal(tree_signal, SIG_DFL);
    raise(tree_signal);
}

static void
tmp_name(char name[HIDDEN_MAX])
{
    static unsigned serial;

    snprintf(name, HIDDEN_MAX, TMP_PREFIX "%ld-%u", (long)getpid(), serial++);
}

static bool
is_dots(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

int
tree_rename(int from, const char *name, int to, const char *new)
{
    struct stat st;

    if (renameat2(from, name, to, new, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL)
        return -errno;
    /* Not all file systems support RENAME_NOREPLACE: check first, then rename. */
    if (fstatat(to, new, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return -EEXIST;
    return renameat(from, name, to, new) < 0 ? -errno : 0;
}

/*
 * Open a stream of the directory's entries; the caller closes it. NULL, with errno, if
 * it cannot be opened.
 */
static DIR *
list(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    int err = errno;

    if (!d && fd >= 0)
        close(fd);
    errno = err;
    return d;
}

static int
open_directory(int dir, const char *name)
{
    return openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/*
 * Remove a directory in `top`, after its files; move its directories up into `top`. So
 * two descriptors are enough for any depth. 0 or -errno.
 */
static int
flatten(int top, const char *name)
{
    int dir = open_directory(top, name), err = 0;
    DIR *d = dir < 0 ? NULL : list(dir);
    struct dirent *e;

    if (!d) {
        err = errno;
        if (dir >= 0)
            close(dir);
        return -err;
    }
    while (!err && (e = readdir(d)) != NULL) {
        char tmp[HIDDEN_MAX];

        if (is_dots(e->d_name) || unlinkat(dir, e->d_name, 0) == 0)
            continue;
        err = errno;
        tmp_name(tmp);
        if ((err == EISDIR || err == EPERM) &&
            (unlinkat(dir, e->d_name, AT_REMOVEDIR) == 0 ||
             tree_rename(dir, e->d_name, top, tmp) == 0))
            err = 0;
    }
    closedir(d);
    close(dir);
    if (!err && unlinkat(top, name, AT_REMOVEDIR) < 0)
        err = errno;
    return -err;
}

/*
 * Empty the directory, except for its log, by which it is known as an experiment.
 * Several passes are made, since a pass may not see the entries that flatten() adds.
 */
static int
empty(int top)
{
    bool more = true;
    int err = 0;

    while (more && !err) {
        DIR *d = list(top);
        struct dirent *e;

        more = false;
        if (!d)
            return -errno;
        while (!err && (e = readdir(d)) != NULL) {
            if (is_dots(e->d_name) || !strcmp(e->d_name, EXPERIMENT_LOG) ||
                unlinkat(top, e->d_name, 0) == 0)
                continue;
            err = errno == EISDIR || errno == EPERM ? -flatten(top, e->d_name) : errno;
            more = true;
        }
        closedir(d);
    }
    return -err;
}

/* Remove the directory `name`, which has been opened as `dir`. */
static int
remove_open(int parent, const char *name, int dir)
{
    int ret = empty(dir);

    if (ret == 0 && unlinkat(dir, EXPERIMENT_LOG, 0) < 0 && errno != ENOENT)
        ret = errno == EISDIR ? flatten(dir, EXPERIMENT_LOG) : -errno;
    if (ret == 0 && unlinkat(parent, name, AT_REMOVEDIR) < 0)
        ret = -errno;
    return ret;
}

static void
clean_one(int parent, const char *name)
{
    int dir = open_directory(parent, name);
    struct stat st;

    if (dir < 0)
        return;
    if (fstat(dir, &st) == 0 && st.st_uid == geteuid() &&
        flock(dir, LOCK_EX | LOCK_NB) == 0)
        remove_open(parent, name, dir);
    close(dir);
}

/*
 * Remove what killed programs have left in `parent`. Do nothing if other users can
 * write there: they could have given such a name to a directory of ours.
 */
static void
clean(int parent)
{
    struct stat st;
    struct dirent *e;
    DIR *d;

    if (fstat(parent, &st) < 0 || st.st_mode & 022 || !(d = list(parent)))
        return;
    while ((e = readdir(d)) != NULL)
        if (!strncmp(e->d_name, TMP_PREFIX, strlen(TMP_PREFIX)))
            clean_one(parent, e->d_name);
    closedir(d);
}

static int
copy_bytes(int from, int to)
{
    static char buf[1 << 16];
    int ret = 0;
    ssize_t n;

    while (ret == 0 && !tree_signal && (n = read(from, buf, sizeof(buf))) != 0)
        ret = n < 0 ? -errno : writeall(to, buf, (size_t)n);
    return ret == 0 && tree_signal ? -EINTR : ret;
}

static int
copy_open_file(int from, int to, const struct stat *st)
{
    const struct timespec times[] = { st->st_atim, st->st_mtim };
    ssize_t n = 1;
    int ret;

    while (n > 0 && !tree_signal)
        n = copy_file_range(from, NULL, to, NULL, PIECE, 0);
    if (n < 0 && errno == EIO)
        return -EIO;
    /* If that ended early, continue with read() and write() at the offsets reached. */
    ret = copy_bytes(from, to);
    if (ret == 0 && (fchmod(to, st->st_mode & 0777) < 0 || futimens(to, times) < 0))
        ret = -errno;
    return ret;
}

static int
copy_file(int from, int to, const char *name)
{
    int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int out, ret;
    struct stat st;

    if (in < 0)
        return -errno;
    if (fstat(in, &st) < 0 || !S_ISREG(st.st_mode)) {
        close(in);
        return -EBUSY; /* another file has the name now */
    }
    out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ret = out < 0 ? -errno : copy_open_file(in, out, &st);
    close(in);
    if (out >= 0 && close(out) < 0 && ret == 0)
        ret = -errno;
    return ret;
}

static int
copy_link(int from, int to, const char *name)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(from, name, target, sizeof(target) - 1);

    if (n < 0)
        return -errno;
    target[n] = '\0';
    return symlinkat(target, to, name) < 0 ? -errno : 0;
}

static int copy_all(const struct place *whole, int from, int to, int depth);

static int
copy_directory(const struct place *whole, int from, int to, const char *name, int depth)
{
    int in = open_directory(from, name), out = -1, ret = 0;
    struct stat st;

    if (in < 0 || fstat(in, &st) < 0 || mkdirat(to, name, 0700) < 0 ||
        (out = open_directory(to, name)) < 0)
        ret = -errno;
    if (ret == 0)
        ret = depth < DEPTH_MAX ? copy_all(whole, in, out, depth + 1) : -ELOOP;
    if (ret == 0 && fchmod(out, st.st_mode & 0777) < 0)
        ret = -errno;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return ret;
}

static int
copy_one(const struct place *whole, int from, int to, const char *name, int depth)
{
    struct stat st;

    /* Skip hidden files, which only serve recording, except the name of the MPI job. */
    if (name[0] == '.' && strcmp(name, MPIJOB_FILE))
        return 0;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : -errno; /* it was removed in the meantime */
    if (S_ISREG(st.st_mode))
        return copy_file(from, to, name);
    if (S_ISDIR(st.st_mode))
        return copy_directory(whole, from, to, name, depth);
    if (S_ISLNK(st.st_mode))
        return copy_link(from, to, name);
    err_warn("%s: something in it that is neither a file nor a directory is left out",
             whole->shown);
    return 0;
}

static int
copy_all(const struct place *whole, int from, int to, int depth)
{
    DIR *d = list(from);
    struct dirent *e;
    int ret = 0;

    if (!d)
        return -errno;
    while (ret == 0 && (e = readdir(d)) != NULL)
        ret = tree_signal ? -EINTR : copy_one(whole, from, to, e->d_name, depth);
    closedir(d);
    return ret;
}

/* Make a hidden directory, and lock it. A descriptor or -errno. */
static int
make_hidden(int parent, char tmp[HIDDEN_MAX])
{
    int fd;

    tmp_name(tmp);
    if (mkdirat(parent, tmp, 0700) < 0)
        return -errno;
    fd = open_directory(parent, tmp);
    if (fd < 0)
        return -errno;
    flock(fd, LOCK_EX | LOCK_NB);
    return fd;
}

int
tree_copy(const struct place *from, int parent, const char *name)
{
    return tree_copy_and(from, parent, name, NULL, NULL);
}

int
tree_copy_and(const struct place *from, int parent, const char *name, tree_more *more,
              void *context)
{
    char tmp[HIDDEN_MAX];
    struct stat st;
    int in, out, ret;

    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return -EEXIST;
    clean(parent);
    in = place_directory(from);
    if (in < 0)
        return in;
    out = make_hidden(parent, tmp);
    ret = out < 0 ? out : copy_all(from, in, out, 0);
    if (ret == 0 && more)
        ret = more(out, context);
    if (ret == 0 && (fstat(in, &st) < 0 || fchmod(out, st.st_mode & 0777) < 0))
        ret = -errno;
    if (ret == 0)
        ret = tree_rename(parent, tmp, parent, name);
    if (ret < 0 && out >= 0)
        remove_open(parent, tmp, out);
    close(in);
    if (out >= 0)
        close(out);
    return ret;
}

int
tree_remove(const struct place *p)
{
    char tmp[HIDDEN_MAX];
    int dir = place_directory(p), ret;
    struct stat st;

    if (dir < 0)
        return dir;
    clean(p->parent);
    flock(dir, LOCK_EX | LOCK_NB);
    tmp_name(tmp);
    if (fstat(dir, &st) < 0 || st.st_ino != p->inode || st.st_dev != p->device)
        ret = -EBUSY; /* another directory has the name now */
    else
        ret = tree_rename(p->parent, p->name, p->parent, tmp);
    if (ret == 0 && (ret = remove_open(p->parent, tmp, dir)) < 0)
        tree_rename(p->parent, tmp, p->parent, p->name);
    close(dir);
    return ret;
}
