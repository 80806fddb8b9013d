/* SPDX-License-Identifier: Apache-2.0 */
#include "import/copies.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/describe.h"
#include "archive/object/objfile.h"
#include "archive/store.h"

enum { HASH_DIGITS = 11 };

/*
 * Is the part of a copy's name after "NAME_" only a hash? NAME_b_HASH is not a copy of
 * NAME, but of NAME_b. Nearly all hashes have 11 characters, one of which may be "_".
 */
static bool
is_hash(const char *text)
{
    size_t len = strlen(text);

    return len == HASH_DIGITS ||
           (len < HASH_DIGITS && !strchr(text, '_') && !strchr(text, '.'));
}

const char *
copies_find(struct import *im, const char *archives, const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    size_t len = strlen(base);
    DIR *dir = opendir(archives);
    const struct dirent *e;
    const char *found = NULL;
    u32 count = 0;

    while (dir && (e = readdir(dir))) {
        char *path;

        if (strncmp(e->d_name, base, len) || e->d_name[len] != '_' ||
            !is_hash(e->d_name + len + 1))
            continue;
        if (count++ || asprintf(&path, "%s/%s", archives, e->d_name) < 0)
            continue;
        found = import_text(im, path, strlen(path));
        free(path);
    }
    if (dir)
        closedir(dir);
    return count == 1 ? found : NULL;
}

/* Is the file with this build-id at its path, so that er_archive will find it? */
static bool
is_there(const struct import_object *o)
{
    struct image img;
    bool same;

    if (!*o->buildid || image_open(&img, AT_FDCWD, o->name) < 0)
        return false;
    same = !strcmp(img.buildid, o->buildid);
    image_close(&img);
    return same;
}

static int
save(struct image *img, int archives, const char *name)
{
    struct description d;
    struct store_file file;
    int ret = describe(&d, img);

    if (ret < 0)
        return ret;
    ret = store_begin(&file, archives);
    if (ret == 0) {
        ret = describe_save(&d, file.fd);
        if (ret == 0)
            ret = store_commit(&file, name);
        else
            store_abandon(&file);
    }
    describe_free(&d);
    return ret;
}

static int
describe_copy(const struct import_object *o, int archives)
{
    char inode[24], fsize[24], mtime[24], key[OBJFILE_KEY_MAX];
    char name[OBJFILE_KEY_MAX + 16];
    struct objfile_id id = { .name = o->name, .buildid = o->buildid, .dev = o->dev,
                             .inode = inode, .fsize = fsize, .mtime = mtime };
    struct image img;
    int ret;

    snprintf(inode, sizeof(inode), "%" PRIu64, o->inode);
    snprintf(fsize, sizeof(fsize), "%" PRIu64, o->fsize);
    snprintf(mtime, sizeof(mtime), "%" PRIu64, o->mtime);
    if (is_there(o) || objfile_key(key, &id) < 0)
        return 0;
    snprintf(name, sizeof(name), "%s.ero", key);
    if (faccessat(archives, name, F_OK, 0) == 0 ||
        image_open(&img, AT_FDCWD, o->copy) < 0)
        return 0;
    ret = save(&img, archives, name);
    image_close(&img);
    return ret == -ENODATA ? 0 : ret;
}

int
copies_describe(const struct import *im, int dir)
{
    int archives = -1, ret = 0;

    for (u32 i = 0; i < im->nprocesses && ret == 0; i++)
        for (u32 k = 0; k < im->process[i].nobjects && ret == 0; k++) {
            const struct import_object *o = &im->process[i].object[k];

            if (!o->copy)
                continue;
            if (archives < 0)
                archives = store_dir(dir, "archives");
            ret = archives < 0 ? archives : describe_copy(o, archives);
        }
    if (archives >= 0)
        close(archives);
    return ret;
}
