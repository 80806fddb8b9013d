/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/environ.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/beside.h"
#include "share/chunk.h"

#define PRELOAD "LD_PRELOAD"

enum {
    OURS = 6, /* variables that we set */
    PARAMS_BYTES = 1024,
};

int
environ_library(const char *name, char path[PATH_MAX])
{
    char found[PATH_MAX];

    if ((beside_path(found, "%s", name) < 0 || access(found, R_OK) < 0) &&
        (beside_path(found, "../lib/ertools/%s", name) < 0 ||
         access(found, R_OK) < 0) &&
        (snprintf(found, PATH_MAX, "%s/%s", PKGLIBDIR, name) >= PATH_MAX ||
         access(found, R_OK) < 0))
        return -ENOENT;
    if (!realpath(found, path))
        return -errno;
    return 0;
}

int
environ_can_preload(const char *path)
{
    return strpbrk(path, " \t\n:") == NULL;
}

/*
 * Open a directory that only this user may write to; make it if it does not exist.
 * Returns a descriptor or -errno. Others may search it, as descendants with another
 * user need.
 */
static int
open_own(const char *dir)
{
    struct stat st;
    int fd;

    if (mkdir(dir, 0711) < 0 && errno != EEXIST)
        return -errno;
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 022))
        return fd;
    close(fd);
    return -EPERM;
}

static int
put_link(int dir, const char *name, const char *library)
{
    char there[PATH_MAX];
    ssize_t len;

    if (symlinkat(library, dir, name) == 0)
        return 0;
    len = errno == EEXIST ? readlinkat(dir, name, there, sizeof(there)) : -1;
    if (len < 0)
        return -errno;
    return (size_t)len == strlen(library) && !memcmp(there, library, (size_t)len)
               ? 0
               : -EEXIST;
}

static const char *
base_of(const char *library)
{
    const char *slash = strrchr(library, '/');

    return slash ? slash + 1 : library;
}

/* The length of a library's file name up to its first dot. */
static int
base_len(const char *library)
{
    return (int)strcspn(base_of(library), ".");
}

int
environ_link(const char *top, const char *library, char link[PATH_MAX])
{
    char dir[PATH_MAX - 64], name[64], made[PATH_MAX];
    int fd, ret;

    if (snprintf(dir, sizeof(dir), "%s/ertools-%u", top, (unsigned)geteuid()) >=
        (int)sizeof(dir))
        return -ENAMETOOLONG;
    snprintf(name, sizeof(name), "%.*s-%08x.so", base_len(library), base_of(library),
             crc32c(0, library, strlen(library)));
    snprintf(made, sizeof(made), "%s/%s", dir, name);
    if (!environ_can_preload(made))
        return -EINVAL;
    fd = open_own(dir);
    if (fd < 0)
        return fd;
    ret = put_link(fd, name, library);
    close(fd);
    if (ret == 0)
        strcpy(link, made);
    return ret;
}

static int
is(const char *entry, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(entry, name, len) && entry[len] == '=';
}

static int
is_ours(const char *entry)
{
    return is(entry, ER_ENV_PARAMS) || is(entry, ER_ENV_EXPNAME) ||
           is(entry, ER_ENV_PRELOAD);
}

static const char *
lookup(char **env, const char *name)
{
    for (; *env; env++)
        if (is(*env, name))
            return *env + strlen(name) + 1;
    return NULL;
}

/* The value of LD_PRELOAD without the entries of any collect. */
static const char *
foreign_preload(char **old)
{
    const char *preload = lookup(old, PRELOAD), *front = lookup(old, ER_ENV_PRELOAD);
    size_t len = front ? strlen(front) : 0;

    if (!preload || !len || strncmp(preload, front, len) != 0)
        return preload;
    if (preload[len] == ':')
        return preload + len + 1;
    return preload[len] ? preload : NULL;
}

/*
 * Append *entry, which replaces an old variable of that name, unless it was appended
 * already.
 */
static char **
put_instead(char **to, char **entry)
{
    if (*entry)
        *to++ = *entry;
    *entry = NULL;
    return to;
}

/*
 * Copy all variables that are not ours, in order. LD_PRELOAD and ASAN_OPTIONS, which we
 * extend, replace the old ones in place, or are added at the end.
 */
static char **
put_old(char **to, char **old, int library, char *preload, char *asan)
{
    for (; *old; old++) {
        if (is(*old, PRELOAD))
            to = put_instead(to, &preload);
        else if (library && is(*old, ER_ENV_ASAN))
            to = put_instead(to, &asan);
        else if (!is_ours(*old))
            *to++ = *old;
    }
    to = put_instead(to, &preload);
    return put_instead(to, &asan);
}

/*
 * Compute the sizes first, then allocate one block: the array, and after it our
 * strings.
 */
char **
environ_make(char **old, const char *library, const char *experiment,
             const struct er_params *params)
{
    const char *rest = foreign_preload(old), *asan = lookup(old, ER_ENV_ASAN);
    size_t count = 0, text;
    char **env, *p, **to, *preload = NULL, *asan_entry = NULL;
    char list[PARAMS_BYTES];
    struct fmt f = fmt_start(list, sizeof(list) - 1);

    while (old[count])
        count++;
    params_format(&f, params);
    *f.at = '\0';
    text = strlen(list) + strlen(experiment) + (library ? 2 * strlen(library) : 0) +
           (rest ? strlen(rest) : 0) + (asan ? strlen(asan) : 0) + 256;
    env = malloc((count + OURS + 1) * sizeof(*env) + text);
    if (!env)
        return NULL;
    p = (char *)(env + count + OURS + 1);
    if (library || (rest && *rest)) {
        preload = p;
        p += sprintf(p, PRELOAD "=%s%s%s", library ? library : "",
                     library && rest && *rest ? ":" : "", rest ? rest : "") +
             1;
    }
    if (library) {
        asan_entry = p;
        p += sprintf(p, ER_ENV_ASAN "=%s%s" ER_ASAN_TAIL, asan ? asan : "",
                     asan ? ":" : "") +
             1;
    }
    to = put_old(env, old, library != NULL, preload, asan_entry);
    if (library) {
        *to++ = p;
        p += sprintf(p, ER_ENV_PRELOAD "=%s", library) + 1;
        *to++ = p;
        p += sprintf(p, ER_ENV_EXPNAME "=%s", experiment) + 1;
        *to++ = p;
        p += sprintf(p, ER_ENV_PARAMS "=%s", list) + 1;
        if ((3 + !(rest && *rest) + !asan) % 2) {
            *to++ = p;
            strcpy(p, ER_ENV_PAD "=");
        }
    }
    *to = NULL;
    return env;
}
