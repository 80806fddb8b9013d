/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/variable.h"

#include <errno.h>
#include <string.h>

#include "print/model/demangle.h"
#include "print/model/object.h"

/* The nearest load of a file below an address: data lie above the code. */
static const struct map_instance *
below(const struct map *map, u64 addr)
{
    const struct map_instance *best = NULL;

    for (u32 i = 0; i < map->count; i++) {
        const struct map_instance *at = &map->instance[i];

        if (at->kind == MAP_FILE && at->lo <= addr && (!best || at->lo > best->lo))
            best = at;
    }
    return best;
}

int
variable_find(struct session *session, u32 experiment, u64 addr, u32 *object,
              struct objfile_variable *found, u64 *base)
{
    const struct map_instance *at = below(&session->experiment[experiment]->map, addr);
    const struct objfile *file;

    if (!at)
        return -ENOENT;
    if (objects_of(session, experiment, at, object) < 0)
        return -ENOMEM;
    file = object_file(session, *object);
    if (!file || objfile_variable(file, addr - at->bias, found) < 0)
        return -ENOENT;
    *base = found->addr + at->bias;
    return 0;
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
    int ret = variable_find(session, experiment, addr, &object, &found, &base);

    if (ret < 0)
        return ret;
    name = variable_name(session, found.name);
    if (!name)
        return -ENOMEM;
    *out = (struct variable){ object, name, addr - base };
    return 0;
}
