/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/ompinside.h"

#include <string.h>

#include "print/model/symbols/object.h"

/*
 * Is this the name of a runtime's function that is on the stacks of a region's threads?
 */
static bool
is_of_runtime(const char *name)
{
    static const char *const names[] = { "GOMP_parallel", "gomp_thread_start",
                                         "__kmpc_fork_call", "__kmp_launch_thread" };

    for (u32 i = 0; i < ER_COUNT(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

const char *
ompinside_object(struct session *session, const struct rows *rows)
{
    for (u32 i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        struct object_info info;

        if (row->func < FUNC_PSEUDO_COUNT ||
            !is_of_runtime(function_name_styled(session, row->func, NAME_MANGLED)))
            continue;
        object_get(session, row->object, &info);
        if (!info.collector && !object_is_runtime(info.path))
            return info.name;
    }
    return NULL;
}

int
ompinside_find(struct session *session, const char **name)
{
    struct order order = { .by = ORDER_NAME };
    struct rows rows;
    int ret = view_functions(session, &order, &rows);

    if (ret < 0)
        return ret;
    *name = ompinside_object(session, &rows);
    rows_free(&rows);
    return 0;
}
