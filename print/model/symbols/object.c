/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/base/array.h"
#include "print/model/symbols/archive.h"
#include "print/model/symbols/kernelobject.h"
#include "print/model/symbols/madeobject.h"

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
 * Knows the OpenMP runtimes of GCC, LLVM and Intel; Python packages contain them under
 * names such as libgomp-HASH.so.
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

/* Is it a Java machine: libjvm.so of HotSpot? */
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
    new->java = is_java_machine(new->name);
    new->internal = object_is_runtime(new->name) || new->java;
    new->title = new->java ? "JVM-System" : new->name;
    return 0;
}

int
objects_open(struct session *session)
{
    struct object unknown = { .loaded = true };

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
    archive_forget(&objects->archived);
    free(objects->object);
    hash_free(&objects->keys);
    free(objects);
}

/* Memory without a name has one name here, whether or not its recorder gave it one. */
static const char *
path_of(const struct map_instance *instance)
{
    static const char *const names[] = { "<file>", "[vdso]", "<anonymous>", "<jit>",
                                         "[kernel]" };
    const char *name = instance->file.name;

    return *name && strcmp(name, "[anonymous]") ? name : names[instance->kind];
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
         * Nothing identifies the file, so those of two experiments may differ: make an
         * object of this experiment alone, without an archive.
         */
        snprintf(new.key, sizeof(new.key), "%u of experiment %u", instance->id, index);
        new.loaded = true;
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
    struct object new = { .kind = MAP_FILE, .loaded = true, .interpreted = true };
    struct key key = { objects, new.key };
    u32 at;

    /*
     * The key has two hashes of the path. Treat paths that agree in both as the same.
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
    return 0;
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
            ret = -ENOENT; /* other founders may have it */
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
    struct object new = { .kind = kind, .loaded = true, .file = file }, *o;

    /* No objfile_key() contains a blank, so no file has this key. */
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

int
objects_made(struct session *session, u32 index, u32 *object)
{
    struct objfile *file;
    int ret = madeobject_make(session->experiment[index], &file);

    if (ret < 0)
        return ret;
    ret = objects_adopt(session, MADEOBJECT_PATH, MAP_JIT, file, object);
    if (ret < 0)
        objfile_close(file);
    return ret;
}

/*
 * Report what is missing or doubtful about an archive: in o->problem, and in the
 * problems of the first experiment that has the object. But not there if the object is
 * the collector, or if that experiment's index lists the object without a warning and
 * its archive does not exist, as then that was already known.
 */
static void
report_problem(struct session *session, struct object *o, int ret, const char *error)
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
load(struct session *session, struct object *o)
{
    char error[OBJFILE_ERROR_MAX] = "";
    int ret = o->kind == MAP_KERNEL ? kernelobject_make(session, o->key, &o->file)
                                    : open_archive(session, o, error);

    if (ret == -ENOENT && o->kind != MAP_KERNEL &&
        archive_make(session, &session->objects->archived, o->key))
        ret = open_archive(session, o, error);
    if (ret == 0 && allocate(o) < 0) {
        objfile_close(o->file);
        o->file = NULL;
        ret = -ENOMEM;
    }
    if (ret < 0 && !*error)
        snprintf(error, sizeof(error), "%s", strerror(-ret));
    report_problem(session, o, ret, error);
}

struct object *
objects_load(struct session *session, u32 object)
{
    struct object *o = &session->objects->object[object];

    if (!o->loaded) {
        o->loaded = true;
        load(session, o);
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
    return objects_load(session, object)->file;
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
    o = objects_load(session, object);
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
