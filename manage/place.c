/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/err.h"
#include "share/experiment.h"

bool
place_ends(const char *name, const char *ending)
{
    size_t len = strlen(name), tail = strlen(ending);

    return len > tail && !strcmp(name + len - tail, ending);
}

static char *
path_without_slashes(const char *path)
{
    size_t len = strlen(path);

    while (len > 1 && path[len - 1] == '/')
        len--;
    return strndup(path, len);
}

static char *
for_sentences(const char *path)
{
    char *shown = strdup(path);

    for (char *p = shown; p && *p; p++)
        if ((unsigned char)*p < ' ' || *p == 0x7f)
            *p = '?';
    return shown;
}

static int
open_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dir = slash ? strndup(path, (size_t)(slash - path + (slash == path))) : NULL;
    int fd = -1;

    if (dir || !slash)
        fd = open(dir ? dir : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(dir);
    return fd;
}

bool
place_has(int dir, const char *name)
{
    struct stat st;

    return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

/* Does the file begin like that of a group? */
static bool
is_group(const struct place *p)
{
    char line[sizeof(GROUP_LINE)] = "";
    int fd = place_file(p);
    bool is;

    if (fd < 0)
        return false;
    is = pread(fd, line, sizeof(line) - 1, 0) == (ssize_t)sizeof(line) - 1 &&
         !strcmp(line, GROUP_LINE);
    close(fd);
    return is;
}

static enum place_kind
kind_of_directory(const struct place *p)
{
    enum place_kind kind = PLACE_DIRECTORY;
    int dir = place_directory(p);

    if (dir >= 0 && place_ends(p->name, EXPERIMENT_SUFFIX) &&
        place_has(dir, EXPERIMENT_LOG))
        kind = PLACE_EXPERIMENT;
    if (dir >= 0)
        close(dir);
    return kind;
}

static void
find_kind(struct place *p)
{
    struct stat st;

    p->kind = PLACE_NONE;
    if (fstatat(p->parent, p->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    p->device = st.st_dev;
    p->inode = st.st_ino;
    p->is_link = S_ISLNK(st.st_mode);
    p->kind = PLACE_OTHER;
    if (S_ISDIR(st.st_mode))
        p->kind = kind_of_directory(p);
    else if (p->is_link && fstatat(p->parent, p->name, &st, 0) == 0 &&
             S_ISDIR(st.st_mode))
        p->kind = PLACE_DIRECTORY;
    else if (S_ISREG(st.st_mode) && place_ends(p->name, GROUP_SUFFIX) && is_group(p))
        p->kind = PLACE_GROUP;
}

static int
open_named(struct place *p, const char *name)
{
    size_t len = strlen(name);

    if (!p->path || !p->shown) {
        err_warn("no memory is left");
        return 1;
    }
    if (!len || len > NAME_MAX || !strcmp(name, ".") || !strcmp(name, "..") ||
        !strcmp(name, "/")) {
        /* ".", ".." and "/" can only mean an existing directory. */
        if (!len || len > NAME_MAX) {
            err_warn("'%s' is no name of a file", p->shown);
            return 1;
        }
        if (p->parent >= 0)
            close(p->parent);
        p->parent = open(p->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        name = ".";
    }
    strcpy(p->name, name);
    if (p->parent < 0) {
        err_warn("%s: %s", p->shown, strerror(errno));
        return 1;
    }
    find_kind(p);
    return 0;
}

int
place_open(struct place *p, const char *path)
{
    const char *slash;

    *p = (struct place){ .path = path_without_slashes(path), .parent = -1 };
    p->shown = p->path ? for_sentences(p->path) : NULL;
    if (!p->shown || !*p->path)
        return open_named(p, "");
    slash = strrchr(p->path, '/');
    p->parent = open_parent(p->path);
    return open_named(p, slash && slash[1] ? slash + 1 : p->path);
}

int
place_open_in(struct place *out, const struct place *directory, const char *name)
{
    *out = (struct place){ .parent = -1 };
    if (asprintf(&out->path, "%s/%s", directory->path, name) < 0)
        out->path = NULL;
    out->shown = out->path ? for_sentences(out->path) : NULL;
    out->parent = openat(directory->parent, directory->name,
                         O_PATH | O_DIRECTORY | O_CLOEXEC);
    return open_named(out, name);
}

void
place_close(struct place *p)
{
    free(p->path);
    free(p->shown);
    if (p->parent >= 0)
        close(p->parent);
}

int
place_directory(const struct place *p)
{
    int fd = openat(p->parent, p->name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    return fd < 0 ? -errno : fd;
}

int
place_file(const struct place *p)
{
    int fd = openat(p->parent, p->name,
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    return fd < 0 ? -errno : fd;
}

bool
place_holds(const struct place *p, int inside)
{
    int dir = openat(inside, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct stat st, above = { 0 };
    bool found = false;

    while (dir >= 0 && !found && fstat(dir, &st) == 0 &&
           (st.st_ino != above.st_ino || st.st_dev != above.st_dev)) {
        int up = openat(dir, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);

        found = st.st_dev == p->device && st.st_ino == p->inode;
        above = st;
        close(dir);
        dir = up;
    }
    if (dir >= 0)
        close(dir);
    return found;
}
