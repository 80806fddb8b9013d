/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/group.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/launch/status.h"
#include "share/err.h"
#include "share/outfile.h"

#define FIRST_LINE "#analyzer experiment group"

/* Is fd an empty file or a group? */
static int
is_group(int fd)
{
    char line[sizeof(FIRST_LINE)];
    ssize_t len = pread(fd, line, sizeof(line) - 1, 0);

    return len == 0 ||
           (len == (ssize_t)sizeof(line) - 1 && !memcmp(line, FIRST_LINE, (size_t)len));
}

static int
refuse(const char *group, const char *why)
{
    err_warn("the experiment cannot be added to '%s': %s", group, why);
    return STATUS_OUTPUT;
}

/* Put the directory part of a path into dir; "." if it has none. */
static void
directory_of(const char *path, char dir[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    int len = slash == path ? 1 : (int)(slash ? slash - path : 0);

    if (snprintf(dir, PATH_MAX, "%.*s", len, path) >= PATH_MAX || !len)
        strcpy(dir, ".");
}

int
group_check(const struct request *request)
{
    const char *group = request->group;
    char dir[PATH_MAX];
    int fd, ok;

    if (!group)
        return 0;
    fd = open(group, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0 && errno != ENOENT)
        return refuse(group, strerror(errno));
    if (fd < 0) {
        directory_of(group, dir);
        return access(dir, W_OK) < 0 ? refuse(group, strerror(errno)) : 0;
    }
    ok = is_group(fd);
    close(fd);
    return ok ? 0 : refuse(group, "it is not an experiment group");
}

/*
 * What the group calls the experiment: its name alone if the two are in one directory,
 * else its path.
 */
static const char *
member(const struct recording *s)
{
    char dir[PATH_MAX];
    struct stat here, there;

    directory_of(s->request->group, dir);
    if (stat(dir, &here) < 0 || fstat(s->parent, &there) < 0 ||
        here.st_dev != there.st_dev || here.st_ino != there.st_ino)
        return s->path;
    return s->name;
}

static int
append(int fd, const char *name)
{
    char *text = NULL;
    struct stat st;
    int len, ret = 0;

    /*
     * The lock is released by close(). It makes sure that only one process writes the
     * first line.
     */
    if (flock(fd, LOCK_EX) < 0 || fstat(fd, &st) < 0)
        return -errno;
    if (!is_group(fd))
        return -EINVAL;
    len = asprintf(&text, "%s%s\n", st.st_size ? "" : FIRST_LINE "\n", name);
    if (len < 0)
        return -ENOMEM;
    if (write(fd, text, (size_t)len) != len)
        ret = errno ? -errno : -EIO;
    free(text);
    return ret;
}

void
group_add(const struct recording *s)
{
    const char *group = s->request->group;
    int fd, ret;

    if (!group || !s->in_place)
        return;
    fd = outfile_open(group, O_RDWR | O_APPEND);
    ret = fd < 0 ? fd : append(fd, member(s));
    if (fd >= 0)
        close(fd);
    if (ret < 0)
        (void)refuse(group, fd < 0 ? outfile_error(ret) : strerror(-ret));
}
