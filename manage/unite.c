/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/unite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/store.h"

static int
open_directory(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    return fd < 0 ? -errno : fd;
}

/*
 * Append the lines of one archive's index of sources to the other one's. A file's name
 * comes from its path, so it does not matter if both have a line for it.
 */
static int
append_lines(int from, int to)
{
    int in = openat(from, "index", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *f = in < 0 ? NULL : fdopen(in, "r");
    int fd = openat(to, "index", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
                    0600);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "a");
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    int ret = out ? 0 : -errno;

    while (f && out && (len = getline(&line, &room, f)) > 0)
        if (line[len - 1] == '\n')
            fwrite(line, 1, (size_t)len, out);
    free(line);
    if (f)
        fclose(f);
    else if (in >= 0)
        close(in);
    if (out && fclose(out) != 0)
        ret = -errno;
    else if (!out && fd >= 0)
        close(fd);
    return ret;
}

/* Copy a file, unless it is hidden, an index, or in the other archive already. */
static int
unite_file(int from, int to, const char *name)
{
    struct stat st;

    if (name[0] == '.' || !strcmp(name, "index") || !strcmp(name, "index.xml") ||
        fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode) ||
        fstatat(to, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return 0;
    return store_link(from, name, to, name);
}

static int
unite_files(int from, int to)
{
    int fd = open_directory(from, "."), ret = 0;
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *e;

    if (!d) {
        ret = -errno;
        if (fd >= 0)
            close(fd);
        return ret;
    }
    while (ret == 0 && (e = readdir(d)) != NULL)
        ret = unite_file(from, to, e->d_name);
    closedir(d);
    return ret;
}

/*
 * Unite the directory `name` of one archive with that of the other one; then call
 * more() with both directories. Does nothing if the first archive has no such
 * directory.
 */
static int
unite_directory(int from, int to, const char *name, int (*more)(int from, int to))
{
    int in = open_directory(from, name), out, ret;

    if (in < 0)
        return 0;
    out = store_dir(to, name);
    ret = out < 0 ? out : unite_files(in, out);
    if (ret == 0)
        ret = more(in, out);
    if (out >= 0)
        close(out);
    close(in);
    return ret;
}

static int
unite_sources(int from, int to)
{
    return unite_directory(from, to, "src", append_lines);
}

int
unite_archives(int from, int to)
{
    return unite_directory(from, to, "archives", unite_sources);
}
