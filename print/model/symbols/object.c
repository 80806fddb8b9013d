/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/load/array.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/archive.h"
#include "print/model/symbols/kernelobject.h"

struct key {
    const struct objects *objects;
    const char *text;
};

static bool
same_key(const void *context, u32 index)
{
    const struct key *key = context;

    return !strcmp(key->objects->object[index].key, key->text);
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/*
 * The OpenMP runtimes of GCC, LLVM and Intel. (Python packages contain
 * libgomp-HASH.so.)
 */
bool
object_is_runtime(const char *path)
{
    static const char *const names[] = { "libgomp.so", "libgomp-", "libomp.so",
                                         "libomp-", "libiomp5.so", "libiomp5-" };
    const char *name = base_name(path);

    for (u32 i = 0; i < ER_COUNT(names); i++) {
        size_t len = strlen(names[i]);

        if (!strncmp(name, names[i], len) &&
            (names[i][len - 1] == '-' || !name[len] || name[len] == '.'))
            return true;
    }
    return false;
}

/* Java's machine: libjvm.so of HotSpot. */
static bool
is_java_machine(const char *name)
{
    return !strcmp(name, "libjvm.so");
}

static int
append(struct objects *objects, const struct object *new)
{
    if (array_room(&objects->object, &objects->room, objects->count + 1,
                   sizeof(*new)) < 0 ||
        hash_add(&objects->keys, (u32)hash_str(0, new->key), objects->count) < 0)
        return -ENOMEM;
    objects->object[objects->count++] = *new;
    return 0;
}

static int
create(struct objects *objects, struct object *new, const char *path,
       const char *buildid)
{
    new->path = strdup(path);
    new->buildid = strdup(buildid);
    new->problem = strdup("");
    if (!new->path || !new->buildid || !new->problem || append(objects, new) < 0) {
        free(new->path);
        free(new->buildid);
        free(new->problem);
        return -ENOMEM;
    }
    new = &objects->object[objects->count - 1];
    new->name = base_name(new->path);
    new->internal = object_is_runtime(new->name) || is_java_machine(new->name);
    new->title = is_java_machine(new->name) ? "JVM-System" : new->name;
    return 0;
}

int
objects_open(struct session *session)
{
    struct object unknown = { .looked = true };

    session->objects = calloc(1, sizeof(*session->objects));
    if (!session->objects)
        return -ENOMEM;
    return create(session->objects, &unknown, "<Unknown>", "");
}

void
objects_close(struct objects *objects)
{
    if (!objects)
        return;
    for (u32 i = 0; i < objects->count; i++) {
        struct object *o = &objects->object[i];

        objfile_close(o->file);
        free(o->path);
        free(o->buildid);
        free(o->problem);
        free(o->func_of_symbol);
        free(o->func_of_decl);
        free(o->file_of_file);
    }
    for (u32 i = 0; i < objects->narchived; i++)
        free(objects->archived[i]);
    free(objects->archived);
    free(objects->object);
    hash_free(&objects->keys);
    free(objects);
}

static const char *
path_of(const struct map_instance *instance)
{
    static const char *const names[] = { "<file>", "[vdso]", "<anonymous>", "<jit>",
                                         "[kernel]" };

    return *instance->file.name ? instance->file.name : names[instance->kind];
}

int
objects_of(struct session *session, u32 index, const struct map_instance *instance,
           u32 *object)
{
    struct objects *objects = session->objects;
    struct object new = { .kind = instance->kind, .collector = instance->collector };
    struct key key = { objects, new.key };
    u32 at;

    if (instance->kind == MAP_KERNEL && *instance->boot)
        kernelobject_key(instance, new.key, sizeof(new.key));
    else if (instance->kind == MAP_ANON || instance->kind == MAP_JIT ||
        objfile_key(new.key, &instance->file) < 0) {
        /*
         * Without a build id, the files of two experiments may differ: the object
         * belongs to this experiment alone.
         */
        snprintf(new.key, sizeof(new.key), "%u %s", instance->id,
                 session->experiment[index]->path);
        new.looked = true;
    }
    at = hash_find(&objects->keys, (u32)hash_str(0, new.key), same_key, &key);
    if (at == HASH_NONE) {
        if (create(objects, &new, path_of(instance), instance->file.buildid) < 0)
            return -ENOMEM;
        at = objects->count - 1;
    }
    *object = at;
    return 0;
}

int
objects_interpreted(struct session *session, const char *path, u32 *object)
{
    struct objects *objects = session->objects;
    struct object new = { .kind = MAP_FILE, .looked = true, .interpreted = true };
    struct key key = { objects, new.key };
    u32 at;

    /*
     * The key has two hashes of the path; paths that agree in both are the same path.
     */
    snprintf(new.key, sizeof(new.key), "%016llx%016llx interpreted",
             (unsigned long long)hash_str(0, path),
             (unsigned long long)hash_str(1, path));
    at = hash_find(&objects->keys, (u32)hash_str(0, new.key), same_key, &key);
    if (at == HASH_NONE) {
        if (create(objects, &new, path, "") < 0)
            return -ENOMEM;
        at = objects->count - 1;
    }
    *object = at;
    return 0;
}

int
objects_add(struct session *session, u32 index)
{
    const struct map *map = &session->experiment[index]->map;
    u32 object;

    for (u32 i = 0; i < map->count; i++)
        if (objects_of(session, index, &map->instance[i], &object) < 0)
            return -ENOMEM;
    return stacks_made(session, index);
}

static int
open_archive(struct session *session, struct object *o, char *error)
{
    const char *path = o->kind == MAP_VDSO ? OBJFILE_VDSO : o->path;
    int ret = -ENOENT;

    for (u32 i = 0; i < session->nexperiments && ret == -ENOENT; i++) {
        int dir;

        if (!session_new_founder(session, i))
            continue;
        dir = founder_open(session->experiment[i]->founder);
        ret = objfile_open(&o->file, dir, o->key, path, error);
        if (dir < 0 && ret < 0)
            ret = -ENOENT; /* others may have it */
        if (dir >= 0)
            close(dir);
    }
    return ret;
}

static int
allocate(struct object *o)
{
    o->func_of_symbol = calloc(objfile_symbol_count(o->file) + 1, sizeof(u32));
    o->func_of_decl = calloc(objfile_func_count(o->file) + 1, sizeof(u32));
    o->file_of_file = calloc(objfile_file_count(o->file) + 1, sizeof(u32));
    return o->func_of_symbol && o->func_of_decl && o->file_of_file ? 0 : -ENOMEM;
}

int
objects_adopt(struct session *session, const char *path, enum map_kind kind,
              struct objfile *file, u32 *object)
{
    struct objects *objects = session->objects;
    struct object new = { .kind = kind, .looked = true, .file = file }, *o;

    /* No objfile_key() contains a blank, so no other object has this key. */
    snprintf(new.key, sizeof(new.key), "%u lone", objects->count);
    if (create(objects, &new, path, "") < 0)
        return -ENOMEM;
    o = &objects->object[objects->count - 1];
    if (file && allocate(o) < 0) {
        o->file = NULL;
        return -ENOMEM;
    }
    *object = objects->count - 1;
    return 0;
}

/*
 * Report what is missing or doubtful about an archive: in the object, and in the first
 * experiment that has the object. But if that experiment's index lists the object
 * without a warning, it is known that there is no archive: then not in the experiment.
 */
static void
tell(struct session *session, struct object *o, int ret, const char *error)
{
    struct experiment *e = archive_holder(session, o->key);
    const char *warning = e ? archive_warning(e, o->key) : NULL;
    bool warned = warning && *warning;
    char *text;

    if (ret >= 0 && !warned)
        return;
    if (warned)
        text = strdup(warning);
    else if (asprintf(&text, "%s has no archive, so its functions have no names%s%s",
                      o->path, ret == -ENOENT ? "" : ": ",
                      ret == -ENOENT ? "" : error) < 0)
        text = NULL;
    if (!text)
        return;
    free(o->problem);
    o->problem = text;
    if (e && !o->collector && (warned || !warning || ret != -ENOENT))
        problems_add(&e->problems, "%s", text);
}

static void
look(struct session *session, struct object *o)
{
    char error[OBJFILE_ERROR_MAX] = "";
    int ret = o->kind == MAP_KERNEL ? kernelobject_make(session, o->key, &o->file)
                                    : open_archive(session, o, error);

    if (ret == -ENOENT && o->kind != MAP_KERNEL && archive_make(session, o->key))
        ret = open_archive(session, o, error);
    if (ret == 0 && allocate(o) < 0) {
        objfile_close(o->file);
        o->file = NULL;
        ret = -ENOMEM;
    }
    if (ret < 0 && !*error)
        snprintf(error, sizeof(error), "%s", strerror(-ret));
    tell(session, o, ret, error);
}

struct object *
objects_look(struct session *session, u32 object)
{
    struct object *o = &session->objects->object[object];

    if (!o->looked) {
        o->looked = true;
        look(session, o);
    }
    return o;
}

u32
object_count(const struct session *session)
{
    return session->objects->count;
}

const struct objfile *
object_file(struct session *session, u32 object)
{
    if (object >= session->objects->count)
        return NULL;
    return objects_look(session, object)->file;
}

static u64
code_size(const struct objfile *file)
{
    struct objfile_code code;
    u64 size = 0;

    for (u32 i = 0; objfile_code_at(file, i, &code) == 0; i++)
        size += code.size;
    return size;
}

void
object_get(struct session *session, u32 object, struct object_info *out)
{
    const struct object *o;
    struct objfile_info info;

    if (object >= session->objects->count)
        object = 0;
    o = objects_look(session, object);
    *out = (struct object_info){
        .path = o->path,
        .name = o->name,
        .buildid = o->buildid,
        .collector = o->collector,
        .problem = o->problem ? o->problem : "out of memory",
    };
    out->symbols = out->lines = o->interpreted;
    if (!o->file)
        return;
    objfile_info(o->file, &info);
    out->size = code_size(o->file);
    out->symbols = objfile_symbol_count(o->file) > 0;
    out->lines = (info.flags & OBJFILE_HAS_LINES) != 0;
}
