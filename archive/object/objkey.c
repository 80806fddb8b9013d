/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/object/objkey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
objkey_valid(const char *key)
{
    size_t n = strspn(key, "0123456789abcdef-");

    return n > 0 && n < OBJFILE_KEY_MAX && key[n] == '\0';
}

/* FNV-1a over a string and its final 0, which separates one field from the next. */
static u64
hash_string(u64 h, const char *s)
{
    if (!s)
        s = "";
    do {
        h = (h ^ (unsigned char)*s) * 0x100000001b3;
    } while (*s++);
    return h;
}

static u64
hash_fields(u64 h, const char *const *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        h = hash_string(h, fields[i]);
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93;
    return h ^ h >> 29;
}

static void
hash_name(char *out, size_t size, const char *prefix, const char *const *fields,
          size_t count)
{
    snprintf(out, size, "%s%016llx%016llx", prefix,
             (unsigned long long)hash_fields(0xcbf29ce484222325, fields, count),
             (unsigned long long)hash_fields(0x9ae16a3b2f90404f, fields, count));
}

/* Copies hex digits in lower case. 0, or -EINVAL: this cannot be a build-id. */
static int
buildid_copy(char key[OBJFILE_KEY_MAX], const char *buildid)
{
    size_t n = strspn(buildid, "0123456789abcdefABCDEF");

    if (n < 4 || n % 2 || n >= OBJFILE_KEY_MAX || buildid[n])
        return -EINVAL;
    for (size_t i = 0; i <= n; i++)
        key[i] = (char)(buildid[i] | (buildid[i] >= 'A' && buildid[i] <= 'F' ? 32 : 0));
    return 0;
}

int
objfile_key(char key[OBJFILE_KEY_MAX], const struct objfile_id *id)
{
    const char *fields[] = {id->name, id->dev, id->inode, id->fsize, id->mtime};

    if (id->buildid && buildid_copy(key, id->buildid) == 0)
        return 0;
    if (!id->name || !id->name[0])
        return -EINVAL;
    hash_name(key, OBJFILE_KEY_MAX, "f-", fields, ER_COUNT(fields));
    return 0;
}

void
objkey_source(char name[OBJKEY_SOURCE_MAX], const char *path)
{
    hash_name(name, OBJKEY_SOURCE_MAX, "", &path, 1);
}

bool
objkey_real(char real[PATH_MAX], const char *path)
{
    char dir[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t n = strlen(path);

    if (n >= PATH_MAX)
        return false;
    if (path[0] == '/' && realpath(path, real))
        return true;
    if (path[0] == '/' && slash > path) {
        snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path), path);
        if (realpath(dir, real))
            return (n = strlen(real)) + strlen(slash) < PATH_MAX &&
                   strcpy(real + n, slash);
    }
    strcpy(real, path);
    return true;
}

void
objkey_cached(char name[OBJKEY_CACHED_MAX], const char *key, const char *real)
{
    char place[OBJKEY_SOURCE_MAX];

    hash_name(place, sizeof(place), "", &real, 1);
    snprintf(name, OBJKEY_CACHED_MAX, "%s-%s.ero", key, place);
}

/*
 * Opens a directory, or makes it if `create`. It must be the user's own, and no one
 * else may access it.
 */
static int
open_private(int dirfd, const char *name, bool create)
{
    struct stat st;
    int fd;

    if (create && mkdirat(dirfd, name, 0700) < 0 && errno != EEXIST)
        return -errno;
    fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0 || st.st_uid != geteuid() || (st.st_mode & 077)) {
        close(fd);
        return -EPERM;
    }
    return fd;
}

/*
 * Does an open directory belong to this user or to root? Another user could put links
 * there.
 */
static bool
is_ours(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && (st.st_uid == geteuid() || st.st_uid == 0);
}

/*
 * Opens the directory for the user's caches of all programs. After `su` or `sudo`,
 * $HOME may belong to another user: then nothing is created there.
 */
static int
open_base(bool create)
{
    const char *xdg = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    const char *base = xdg && xdg[0] == '/' ? xdg : home;
    int dir, fd = -ENOENT;

    if (!base || base[0] != '/')
        return -ENOENT;
    if (base == xdg && create && mkdir(base, 0700) < 0 && errno != EEXIST)
        return -errno;
    dir = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return -errno;
    if (!is_ours(dir)) {
        close(dir);
        return -EPERM;
    }
    if (base == xdg)
        return dir;
    if (create && mkdirat(dir, ".cache", 0700) < 0 && errno != EEXIST)
        fd = -errno;
    else
        fd = openat(dir, ".cache", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd == -1)
        fd = -errno;
    close(dir);
    if (fd >= 0 && !is_ours(fd)) {
        close(fd);
        fd = -EPERM;
    }
    return fd;
}

int
objfile_cache_dir(bool create)
{
    char version[24];
    int base, ours, dir;

    base = open_base(create);
    if (base < 0)
        return base;
    ours = open_private(base, "ertools", create);
    close(base);
    if (ours < 0)
        return ours;
    snprintf(version, sizeof(version), "objects-%d", OBJFILE_CACHE);
    dir = open_private(ours, version, create);
    close(ours);
    return dir;
}

static int
open_within(int dir, const char *name)
{
    int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

    return fd < 0 ? -errno : fd;
}

int
objfile_archives(int expdir)
{
    return open_within(expdir, "archives");
}

int
objfile_open_source(int expdir, const char *path)
{
    int archives = objfile_archives(expdir), dir, fd = -1, err;
    char name[OBJKEY_SOURCE_MAX];

    if (archives < 0)
        return archives;
    dir = open_within(archives, "src");
    err = dir < 0 ? dir : 0;
    objkey_source(name, path);
    if (dir >= 0) {
        fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        err = fd < 0 ? -errno : 0;
        close(dir);
    }
    close(archives);
    return err ? err : fd;
}

const char *
objfile_symbol_name(const struct objfile_symbol *sym, const char *object, char *buf,
                    size_t size)
{
    const char *slash = strrchr(object, '/');

    if (sym->name[0])
        return sym->name;
    snprintf(buf, size, "<static>@0x%llx (<%s>)", (unsigned long long)sym->addr,
             slash ? slash + 1 : object);
    return buf;
}
