/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/rcfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/cmd/run.h"

/* Why the file must not be trusted; NULL if it can be. */
static const char *
distrust_reason(const struct stat *st)
{
    if (!S_ISREG(st->st_mode))
        return "it is not a plain file";
    if (st->st_uid != geteuid() && st->st_uid != 0)
        return "it belongs to another user";
    if (st->st_mode & S_IWOTH)
        return "everybody may write it";
    return NULL;
}

static void
read_one(struct shell *sh, int fd, const char *path)
{
    FILE *f = fdopen(fd, "r");
    bool failed = sh->failed;

    if (!f) {
        close(fd);
        return;
    }
    sh->rc = true;
    run_stream(sh, f, path);
    sh->rc = false;
    sh->failed = failed;
    fclose(f);
}

/*
 * Read a file, if it exists. *seen: the file read before, which may be the same one, if
 * the home is also the working directory.
 */
static void
try(struct shell *sh, const char *path, struct stat *seen)
{
    /* O_NONBLOCK: if the file is a fifo, do not wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const char *why;
    struct stat st;

    if (fd < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            shell_note(sh, "%s is not read: %s", path, strerror(errno));
        return;
    }
    if (fstat(fd, &st) || (st.st_dev == seen->st_dev && st.st_ino == seen->st_ino)) {
        close(fd);
        return;
    }
    *seen = st;
    why = distrust_reason(&st);
    if (why) {
        shell_note(sh, "%s is not read: %s", path, why);
        close(fd);
        return;
    }
    read_one(sh, fd, path);
}

void
rcfile_read_all(struct shell *sh)
{
    const char *home = getenv("HOME");
    struct stat seen = { 0 };
    char path[PATH_MAX];

    try(sh, SYSCONFDIR "/er.rc", &seen);
    if (home && *home == '/' &&
        snprintf(path, sizeof(path), "%s/.er.rc", home) < (int)sizeof(path))
        try(sh, path, &seen);
    try(sh, ".er.rc", &seen);
}
