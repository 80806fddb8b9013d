/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/bareobject.h"

#include <errno.h>
#include <stdlib.h>

#include "print/model/symbols/functions.h"
#include "print/model/symbols/object.h"

int
bareobject_add(struct session *session, const char *path, struct objfile *file,
               u32 *object)
{
    return objects_adopt(session, path, MAP_FILE, file, object);
}

static int
by_address(const void *a, const void *b, void *context)
{
    const struct functions *functions = context;
    const struct function *f = &functions->function[*(const u32 *)a];
    const struct function *g = &functions->function[*(const u32 *)b];

    return f->addr < g->addr ? -1 : f->addr > g->addr;
}

int
bareobject_functions(struct session *session, u32 object, u32 **ids, u32 *count)
{
    struct functions *functions = session->functions;
    u32 n = 0, *id;

    functions_complete(session, object);
    id = malloc(((size_t)functions->count + 1) * sizeof(*id));
    if (!id)
        return -ENOMEM;
    for (u32 i = FUNC_PSEUDO_COUNT; i < functions->count; i++)
        if (functions->function[i].object == object && functions->function[i].size)
            id[n++] = i;
    qsort_r(id, n, sizeof(*id), by_address, functions);
    *ids = id;
    *count = n;
    return 0;
}
