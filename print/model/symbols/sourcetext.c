/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/sourcetext.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/object/objfile.h"
#include "archive/object/regular.h"
#include "print/model/symbols/files.h"
#include "share/readfile.h"

enum {
    SOURCE_MAX = 64 << 20, /* most bytes of a source file */
};

/* The outputs of sourcetext_read(). */
struct text {
    char *text;
    size_t len;
    char *place;
};

/* Read the whole file, and close fd. 0 or -errno. */
static int
read_text(int fd, struct text *out)
{
    int ret = readfile_plain(fd, SOURCE_MAX, &out->text, &out->len);

    close(fd);
    return ret;
}

/*
 * Try to read the file at a path (NULL = no memory), which out->place owns on success;
 * else it is freed. 0 or -errno.
 */
static int
try_path(char *path, struct text *out)
{
    int fd = path ? regular_open(AT_FDCWD, path, 0) : -1;
    int ret = fd < 0 ? -ENOENT : read_text(fd, out);

    if (ret < 0)
        free(path);
    else
        out->place = path;
    return ret;
}

static char *
join(const char *dir, const char *name)
{
    char *path;

    return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

static int
try_archives(struct session *session, const char *path, struct text *out)
{
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct experiment *e = session->experiment[i];
        int dir, fd;

        if (!session_new_founder(session, i) || (dir = founder_open(e->founder)) < 0)
            continue;
        fd = objfile_open_source(dir, path);
        close(dir);
        if (fd < 0 || read_text(fd, out) < 0)
            continue;
        if (asprintf(&out->place, "%s (kept in %s)", path, e->path) < 0)
            out->place = NULL;
        return 0;
    }
    return -ENOENT;
}

static int
try_pathmaps(struct session *session, const char *path, struct text *out)
{
    const char *from, *to;

    for (u32 i = 0; session_pathmap_at(session, i, &from, &to) == 0; i++) {
        size_t len = strlen(from);
        char *mapped;

        if (strncmp(path, from, len) || asprintf(&mapped, "%s%s", to, path + len) < 0)
            continue;
        if (try_path(mapped, out) == 0)
            return 0;
    }
    return -ENOENT;
}

/*
 * Try the path below a directory: the whole path, then without its first part, and so
 * on. 0 or -ENOENT.
 */
static int
try_below(const char *dir, const char *path, struct text *out)
{
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += strspn(at, "/");
        if (try_path(join(dir, at), out) == 0)
            return 0;
    }
    return -ENOENT;
}

static int
try_search(struct session *session, const char *path, struct text *out)
{
    char *list = strdup(session_path(session)), *save;
    int ret = -ENOENT;

    if (!list)
        return -ENOMEM;
    for (char *dir = strtok_r(list, ":", &save); dir && ret < 0;
         dir = strtok_r(NULL, ":", &save)) {
        if (strcmp(dir, "$expts"))
            ret = try_below(dir, path, out);
        else
            for (u32 i = 0; i < session->nexperiments && ret < 0; i++)
                ret = try_below(session->experiment[i]->path, path, out);
    }
    free(list);
    return ret;
}

int
sourcetext_read(struct session *session, const char *path, char **text, size_t *len,
                char **place)
{
    struct text out = { 0 };

    if (try_archives(session, path, &out) < 0 &&
        try_pathmaps(session, path, &out) < 0 && try_path(strdup(path), &out) < 0 &&
        try_search(session, path, &out) < 0)
        return -ENOENT;
    *text = out.text;
    *len = out.len;
    *place = out.place;
    return 0;
}
