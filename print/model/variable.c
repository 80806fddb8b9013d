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
variable_at(struct session *session, u32 experiment, u64 addr, struct variable *out)
{
    const struct map_instance *at = below(&session->experiment[experiment]->map, addr);
    const struct objfile *file;
    struct objfile_variable found;
    u32 object;
    char *name = NULL;

    if (!at)
        return -ENOENT;
    if (objects_of(session, experiment, at, &object) < 0)
        return -ENOMEM;
    file = object_file(session, object);
    if (!file || objfile_variable(file, addr - at->bias, &found) < 0)
        return -ENOENT;
    if (session->names != NAME_MANGLED)
        name = demangle(found.name, session->names == NAME_LONG);
    if (!name)
        name = strdup(found.name);
    if (!name)
        return -ENOMEM;
    *out = (struct variable){ object, name, addr - at->bias - found.addr };
    return 0;
}
