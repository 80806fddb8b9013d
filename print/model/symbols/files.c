/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/object.h"

struct key {
    const struct files *files;
    const char *path;
};

static bool
same_path(const void *context, u32 index)
{
    const struct key *key = context;

    return !strcmp(key->files->path[index], key->path);
}

u32
files_number(struct session *session, const char *path)
{
    struct files *files = session->files;
    struct key key = { files, path };
    u32 value = (u32)hash_str(0, path);
    u32 at = hash_find(&files->hash, value, same_path, &key);
    char *copy;

    if (at != HASH_NONE)
        return at;
    copy = pool_text(&files->pool, path, strlen(path));
    if (!copy || array_room(&files->path, &files->room, files->count + 1,
                            sizeof(copy)) < 0)
        return 0;
    if (hash_add(&files->hash, value, files->count) < 0)
        return 0;
    files->path[files->count] = copy;
    return files->count++;
}

int
files_open(struct session *session)
{
    session->files = calloc(1, sizeof(*session->files));
    if (!session->files)
        return -ENOMEM;
    session->files->search = strdup("$expts:.");
    files_number(session, "");
    return session->files->search && session->files->count == 1 ? 0 : -ENOMEM;
}

void
files_close(struct files *files)
{
    if (!files)
        return;
    for (u32 i = 0; i < files->nmaps; i++) {
        free(files->from[i]);
        free(files->to[i]);
    }
    free(files->from);
    free(files->to);
    free(files->search);
    free(files->path);
    hash_free(&files->hash);
    pool_free(files->pool);
    free(files);
}

u32
files_of_object(struct session *session, u32 object, u32 index)
{
    struct object *o = objects_load(session, object);

    if (!index || !o->file || index >= objfile_file_count(o->file))
        return 0;
    if (!o->file_of_file[index])
        o->file_of_file[index] =
            files_number(session, objfile_file(o->file, index)) + 1;
    return o->file_of_file[index] - 1;
}

u32
files_in_object(struct session *session, u32 object, u32 file)
{
    const struct objfile *o = object_file(session, object);
    const char *path = file_path(session, file);

    for (u32 i = 1; o && i < objfile_file_count(o); i++)
        if (!strcmp(objfile_file(o, i), path))
            return i;
    return 0;
}

const char *
file_path(const struct session *session, u32 file)
{
    return file < session->files->count ? session->files->path[file] : "";
}

u32
file_count(const struct session *session)
{
    return session->files->count;
}

/* Is `name` the whole path, or the last part of it after a slash? */
static bool
fits(const char *path, const char *name)
{
    size_t len = strlen(path), tail = strlen(name);

    if (len < tail || strcmp(path + len - tail, name))
        return false;
    return len == tail || path[len - tail - 1] == '/';
}

static void
add_all_files(struct session *session)
{
    for (u32 i = 0; i < object_count(session); i++) {
        const struct objfile *file = object_file(session, i);

        for (u32 f = 1; file && f < objfile_file_count(file); f++)
            files_of_object(session, i, f);
    }
}

int
file_find(struct session *session, const char *name, u32 **ids, u32 *count)
{
    u32 *found = NULL;
    u32 room = 0, n = 0;

    add_all_files(session);
    for (u32 i = 1; i < session->files->count && *name; i++) {
        if (!fits(session->files->path[i], name))
            continue;
        if (array_room(&found, &room, n + 1, sizeof(*found)) < 0) {
            free(found);
            return -ENOMEM;
        }
        found[n++] = i;
    }
    if (!n)
        return -ENOENT;
    *ids = found;
    *count = n;
    return 0;
}

int
session_setpath(struct session *session, const char *path)
{
    char *copy = strdup(path);

    if (!copy)
        return -ENOMEM;
    free(session->files->search);
    session->files->search = copy;
    return 0;
}

int
session_addpath(struct session *session, const char *path)
{
    char *joined;

    if (asprintf(&joined, "%s%s%s", session->files->search,
                 *session->files->search ? ":" : "", path) < 0)
        return -ENOMEM;
    free(session->files->search);
    session->files->search = joined;
    return 0;
}

const char *
session_path(const struct session *session)
{
    return session->files->search;
}

int
session_pathmap(struct session *session, const char *from, const char *to)
{
    struct files *files = session->files;
    char **grown_from, **grown_to, *copy_from, *copy_to;

    grown_from = realloc(files->from, (files->nmaps + 1) * sizeof(*grown_from));
    if (grown_from)
        files->from = grown_from;
    grown_to = realloc(files->to, (files->nmaps + 1) * sizeof(*grown_to));
    if (grown_to)
        files->to = grown_to;
    copy_from = strdup(from);
    copy_to = strdup(to);
    if (!grown_from || !grown_to || !copy_from || !copy_to) {
        free(copy_from);
        free(copy_to);
        return -ENOMEM;
    }
    files->from[files->nmaps] = copy_from;
    files->to[files->nmaps++] = copy_to;
    return 0;
}

int
session_pathmap_at(const struct session *session, u32 index, const char **from,
                   const char **to)
{
    if (index >= session->files->nmaps)
        return -ENOENT;
    *from = session->files->from[index];
    *to = session->files->to[index];
    return 0;
}
