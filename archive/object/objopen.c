/* SPDX-License-Identifier: Apache-2.0 */
/* Finds object files: in an experiment and in the user's cache. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/object/objfile.h"
#include "archive/object/objkey.h"

/* Writes the error sentence. Returns `status`. */
static int
fail(char *error, int status, const char *what, const char *why)
{
    if (error)
        snprintf(error, OBJFILE_ERROR_MAX, "%.200s: %s", what, why);
    return status;
}

/* Was the description made from the file at `real`? */
static bool
is_of(const struct objfile *o, const char *real)
{
    struct objfile_source source;

    return objfile_source_at(o, 0, &source) == 0 &&
           source.kind == OBJFILE_SOURCE_OBJECT && strcmp(source.path, real) == 0;
}

int
objfile_open_cached(struct objfile **out, int cache, const char *key, const char *path)
{
    char real[PATH_MAX], name[OBJKEY_CACHED_MAX];
    struct objfile *o;
    struct stat st;
    int status;

    if (!objkey_valid(key) || !objkey_real(real, path))
        return -EINVAL;
    objkey_cached(name, key, real);
    if (fstatat(cache, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    /*
     * The file may be a hard link to one in an experiment, which others may be able to
     * write.
     */
    if (st.st_uid != geteuid() || st.st_mode & 022)
        return -EPERM;
    status = objfile_open_at(&o, cache, name, O_NOFOLLOW, name, NULL);
    if (status == 0 && !is_of(o, real)) {
        objfile_close(o);
        status = -ENOENT;
    }
    if (status == 0)
        *out = o;
    return status;
}

int
objfile_open(struct objfile **out, int expdir, const char *key, const char *object,
             char *error)
{
    char path[OBJFILE_KEY_MAX + 16];
    const char *name = path + strlen("archives/");
    int cache, status, archives;

    if (!objkey_valid(key))
        return fail(error, -EINVAL, key, "it is not the key of an object file");
    snprintf(path, sizeof(path), "archives/%s.ero", key);
    archives = objfile_archives(expdir);
    status = archives < 0 ? fail(error, archives, path, strerror(-archives))
                          : objfile_open_at(out, archives, name, O_NOFOLLOW, path,
                                            error);
    if (archives >= 0)
        close(archives);
    if (status == 0)
        return 0;
    cache = object ? objfile_cache_dir(false) : -ENOENT;
    if (cache < 0)
        return status;
    /* An error in the experiment's file counts only if the cache has no good one. */
    if (objfile_open_cached(out, cache, key, object) == 0)
        status = 0;
    close(cache);
    return status;
}
