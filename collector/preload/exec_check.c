/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/exec_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/preload/descend.h"
#include "collector/preload/environ.h"
#include "collector/preload/stack.h"
#include "collector/sig/mem.h"
#include "collector/sig/thread.h"
#include "share/image.h"
#include "share/types.h"

enum {
    PATH_BYTES = 1024, /* for a path made from PATH, with its final zero */
};

static enum image_kind
read_kind(int dir, const char *path, char interpreter[IMAGE_LINE])
{
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    enum image_kind kind = IMAGE_UNREAD;

    if (fd >= 0) {
        kind = image_read(fd, path, interpreter);
        close(fd);
    }
    return kind;
}

/*
 * For a script, the kind of the program that the kernel finally starts: of its
 * interpreter, or of that script's interpreter, and so on. Any other kind is returned
 * as it is.
 */
static enum image_kind
follow(enum image_kind kind, char interpreter[IMAGE_LINE])
{
    for (int i = 0; i < IMAGE_SCRIPT_DEPTH; i++) {
        if (kind == IMAGE_TEXT)
            strcpy(interpreter, "/bin/sh");
        else if (kind != IMAGE_SCRIPT)
            return kind;
        kind = read_kind(AT_FDCWD, interpreter, interpreter);
    }
    return IMAGE_UNREAD;
}

static const char *
reason_of(enum image_kind kind)
{
    if (!image_loads(kind))
        return image_reason(kind);
    return descend_reaches() ? NULL : image_no_reach;
}

int
exec_check_is_descriptor(const char *path, int flags)
{
    u64 page = ~0ull;

    return flags & AT_EMPTY_PATH && mem_string_readable(path, 1, &page) && !*path;
}

/* The program to check: by path, or by a name that is searched for in PATH. */
struct question {
    int dir;
    int flags;
    const char *path;
    const char *reason; /* the answer */
};

static void
answer(void *arg)
{
    struct question *q = arg;
    char interpreter[IMAGE_LINE];
    enum image_kind kind;

    kind = exec_check_is_descriptor(q->path, q->flags)
               ? image_read(q->dir, q->path, interpreter)
               : read_kind(q->dir, q->path, interpreter);
    q->reason = reason_of(follow(kind, interpreter));
}

const char *
exec_check_refuses(int dir, const char *path, int flags)
{
    struct question q = { dir, flags, path, NULL };
    int saved;

    if (!path || !thread_has_words() || !descend_is_wanted())
        return NULL;
    saved = errno;
    stack_run(answer, &q);
    errno = saved;
    return q.reason;
}

/*
 * Make a path from the next directory of *search and name, and move *search to the end
 * of that directory. 0: the path is too long.
 */
static int
candidate(const char **search, const char *name, char path[PATH_BYTES])
{
    size_t len = strcspn(*search, ":"), name_len = strlen(name);
    const char *dir = *search;

    *search += len;
    if (len + name_len + 2 > PATH_BYTES)
        return 0;
    memcpy(path, dir, len);
    if (len)
        path[len++] = '/';
    memcpy(path + len, name, name_len + 1);
    return 1;
}

static void
answer_by_name(void *arg)
{
    struct question *q = arg;
    const char *search = environ_get(environ, "PATH");
    char path[PATH_BYTES], interpreter[IMAGE_LINE];
    enum image_kind kind = IMAGE_UNREAD;

    if (!search)
        search = "/bin:/usr/bin";
    for (;;) {
        if (candidate(&search, q->path, path) && access(path, X_OK) == 0)
            kind = read_kind(AT_FDCWD, path, interpreter);
        if (kind != IMAGE_UNREAD || !*search)
            break;
        search++;
    }
    q->reason = reason_of(follow(kind, interpreter));
}

const char *
exec_check_refuses_name(const char *name)
{
    struct question q = { AT_FDCWD, 0, name, NULL };
    int saved;

    if (!name || !*name || strchr(name, '/'))
        return exec_check_refuses(AT_FDCWD, name, 0);
    if (!thread_has_words() || !descend_is_wanted())
        return NULL;
    saved = errno;
    stack_run(answer_by_name, &q);
    errno = saved;
    return q.reason;
}
