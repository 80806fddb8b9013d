/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/variable.h"

#include <errno.h>
#include <string.h>

#include "print/model/demangle.h"
#include "print/model/symbols/object.h"

/*
 * How many ns before or after a time an object was loaded; 0 = it was loaded then, or
 * `when` is NULL.
 */
static u64
distance(const struct map_instance *at, const struct variable_time *when)
{
    u64 best = at->nintervals && when ? UINT64_MAX : 0;

    for (u32 i = 0; i < at->nintervals && best; i++) {
        const struct map_interval *in = &at->interval[i];
        u64 d = when->mono < in->from  ? in->from - when->mono
                : when->mono < in->to ? 0
                                      : when->mono - in->to;

        best = d < best ? d : best;
    }
    return best;
}

/*
 * Of two loads at the same address, is `a` the better one: nearer in time or, if they
 * are equally near, later?
 */
static bool
fits_better(const struct map_instance *a, const struct map_instance *b,
            const struct variable_time *when)
{
    u64 x = distance(a, when), y = distance(b, when);

    if (x != y || !a->nintervals || !b->nintervals)
        return x < y;
    return a->interval[a->nintervals - 1].from > b->interval[b->nintervals - 1].from;
}

/*
 * The load of a file that begins next below an address, since an object's data lie
 * above its code. near: only those with at most this distance() count. NULL = none.
 */
static const struct map_instance *
below(const struct map *map, u64 addr, const struct variable_time *when, u64 near)
{
    const struct map_instance *best = NULL;

    for (u32 i = 0; i < map->count; i++) {
        const struct map_instance *at = &map->instance[i];

        if (at->kind != MAP_FILE || at->lo > addr || distance(at, when) > near)
            continue;
        if (!best || at->lo > best->lo ||
            (at->lo == best->lo && fits_better(at, best, when)))
            best = at;
    }
    return best;
}

static int
find_in(struct session *session, u32 experiment, const struct map_instance *at,
        u64 addr, u32 *object, struct objfile_variable *found)
{
    const struct objfile *file;

    if (objects_of(session, experiment, at, object) < 0)
        return -ENOMEM;
    file = object_file(session, *object);
    return file && objfile_variable(file, addr - at->bias, found) == 0 ? 0 : -ENOENT;
}

int
variable_find(struct session *session, u32 experiment, u64 addr,
              const struct variable_time *when, u32 *object,
              struct objfile_variable *found, u64 *base)
{
    const struct map *map = &session->experiment[experiment]->map;
    const struct map_instance *at = below(map, addr, when, 0);
    int ret = at ? find_in(session, experiment, at, addr, object, found) : -ENOENT;

    if (ret == -ENOENT && when && when->near) {
        at = below(map, addr, when, when->near);
        ret = at ? find_in(session, experiment, at, addr, object, found) : -ENOENT;
    }
    if (ret == 0)
        *base = found->addr + at->bias;
    return ret;
}

char *
variable_name(const struct session *session, const char *linkage)
{
    char *name = NULL;

    if (session->names != NAME_MANGLED)
        name = demangle(linkage, session->names == NAME_LONG);
    return name ? name : strdup(linkage);
}

int
variable_at(struct session *session, u32 experiment, u64 addr, struct variable *out)
{
    struct objfile_variable found;
    u32 object;
    u64 base;
    char *name;
    int ret = variable_find(session, experiment, addr, NULL, &object, &found,
                            &base);

    if (ret < 0)
        return ret;
    name = variable_name(session, found.name);
    if (!name)
        return -ENOMEM;
    *out = (struct variable){ object, name, addr - base };
    return 0;
}
