/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory made from an input, for fuzz targets: entries that begin with a line
 * "@KIND NAME" (f: file, l: link, d: directory, p: pipe) and go on to the next such
 * line. The program works in the directory; nothing that an entry says leads farther
 * out than to a directory that holds a secret, which must stay what it is. Ordinary
 * process context; whatever fails ends the program.
 */
#ifndef ERTOOLS_TESTS_FUZZ_TREE_H
#define ERTOOLS_TESTS_FUZZ_TREE_H

#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/err.h"
#include "share/types.h"
#include "tests/fuzz/scratch.h"

enum {
    TREE_NAME_MAX = 120,
    TREE_ENTRIES = 64,
};

static char tree_secret[64]; /* no input can hold it */

static inline void
tree_put(const char *name, const void *data, size_t size)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

    if (fd >= 0 && write(fd, data, size) != (ssize_t)size)
        abort();
    if (fd >= 0)
        close(fd);
}

/* The sandbox: out/ with the secret, and a/b/w, where inputs are, three levels down. */
static inline void
tree_start(void)
{
    scratch_start();
    snprintf(tree_secret, sizeof(tree_secret), "secret of %s",
             strrchr(scratch_dir, '/'));
    if (mkdir("out", 0700) || mkdir("a", 0700) || mkdir("a/b", 0700) ||
        setenv("HOME", scratch_dir, 1) || unsetenv("XDG_CACHE_HOME"))
        abort();
    tree_put("out/log.xml", tree_secret, strlen(tree_secret));
    if (chdir("a/b"))
        abort();
    err_start("fuzz", open("/dev/null", O_WRONLY | O_CLOEXEC));
}

/* Does a name stay below where it is used? */
static inline bool
tree_may(const char *name)
{
    if (name[0] == '/' || !name[0] || strlen(name) > TREE_NAME_MAX)
        return false;
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += strspn(at, "/");
        if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2]))
            return false;
    }
    return true;
}

/* A link leads up at its beginning only, and no higher than to the sandbox. */
static inline bool
tree_may_link(const char *target)
{
    for (u32 ups = 3; ups && !strncmp(target, "../", 3); ups--)
        target += 3;
    return tree_may(target);
}

static inline void
tree_parents(const char *name)
{
    char path[TREE_NAME_MAX + 1];

    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof(path), "%.*s", (int)(slash - name), name);
        (void)mkdir(path, 0700);
    }
}

/* Is a part of the name a link already? Then what is put there would go elsewhere. */
static inline bool
tree_through_link(const char *name)
{
    char path[TREE_NAME_MAX + 1];
    struct stat st;

    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof(path), "%.*s", (int)(slash - name), name);
        if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
            return true;
    }
    return false;
}

static inline void
tree_entry(char kind, const char *name, const uint8_t *data, size_t size)
{
    char target[TREE_NAME_MAX + 1] = "";

    if (!tree_may(name) || tree_through_link(name))
        return;
    tree_parents(name);
    memcpy(target, data, size < TREE_NAME_MAX ? size : TREE_NAME_MAX);
    target[strcspn(target, "\n")] = '\0';
    if (kind == 'd')
        (void)mkdir(name, 0700);
    else if (kind == 'p')
        (void)mkfifo(name, 0600);
    else if (kind == 'l' && tree_may_link(target) && symlink(target, name))
        return;
    else if (kind == 'f')
        tree_put(name, data, size);
}

/* Make w/ from the input, and go there. */
static inline void
tree_make(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size, *at = data, *next;

    if (mkdir("w", 0700) || chdir("w"))
        abort();
    for (u32 i = 0; i < TREE_ENTRIES && end - at > 4 && *at == '@'; i++, at = next) {
        const uint8_t *line = memchr(at, '\n', (size_t)(end - at));
        char name[TREE_NAME_MAX + 2] = "", kind = (char)at[1];

        if (!line)
            return;
        next = memmem(line, (size_t)(end - line), "\n@", 2);
        next = next ? next + 1 : end;
        if (line - at > 3)
            snprintf(name, sizeof(name), "%.*s", (int)(line - at - 3),
                     (const char *)at + 3);
        /* The newline before the next entry is none of the file's. */
        line++;
        tree_entry(kind, name, line, line < next ? (size_t)(next - line) : 0);
    }
}

static inline int
tree_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)ftw;
    return type == FTW_DP ? rmdir(path) : unlink(path);
}

/* A file that holds the secret, though the secret was not to be had. */
static inline int
tree_look(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    char text[sizeof(tree_secret)] = "";
    int fd;

    (void)ftw;
    if (type != FTW_F || !S_ISREG(st->st_mode) ||
        st->st_size != (off_t)strlen(tree_secret))
        return 0;
    fd = open(path, O_RDONLY | O_NOFOLLOW);
    if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
        abort();
    close(fd);
    if (!strcmp(text, tree_secret))
        abort();
    return 0;
}

/* Back out of w/, which goes; the secret must be in its place, and nowhere else. */
static inline void
tree_end(void)
{
    char text[sizeof(tree_secret)] = "";
    struct stat st;
    int fd;

    if (chdir(scratch_dir) || chdir("a/b") || nftw("w", tree_look, 8, FTW_PHYS))
        abort();
    if (nftw("w", tree_remove_one, 8, FTW_PHYS | FTW_DEPTH))
        abort();
    fd = open("../../out/log.xml", O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0 || strcmp(text, tree_secret) ||
        fstat(fd, &st) || st.st_nlink != 1 || stat("../../out", &st) ||
        st.st_nlink != 2 || st.st_size > 100)
        abort();
    close(fd);
}

#endif
