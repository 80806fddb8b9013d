/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/cmd/memory/dataview.h"
#include "print/cmd/stackcell.h"

/*
 * Find data object number N of those with that title; if N is 0, the first. *count: how
 * many have the title. NULL if there is none.
 */
static const struct data_object *
find(const struct dataview *v, const char *title, u64 number, u32 *count)
{
    const struct data_object *found = NULL;

    *count = 0;
    for (u32 i = 0; i < v->data.count; i++) {
        if (strcmp(dataview_title(v, &v->data.row[i]), title) != 0)
            continue;
        ++*count;
        if (!found || *count == number)
            found = &v->data.row[i];
    }
    return number > *count ? NULL : found;
}

static int
show(struct dataview *v, const struct data_object *object)
{
    u32 name, kind, file, size, lines, stack;
    struct object_info info;
    int err = 0;

    v->t->layout = LAYOUT_BLOCKS;
    name = table_column(v->t, "name", "Name", "", COL_TEXT, 0);
    kind = table_column(v->t, "kind", "Kind", "", COL_TEXT, 0);
    size = table_column(v->t, "size", "Size", "byte", COL_COUNT, 0);
    lines = table_column(v->t, "lines", "Places of 64 bytes", "", COL_COUNT, 0);
    file = table_column(v->t, "object", "Load object", "", COL_TEXT, 0);
    stack = table_column(v->t, "stack", "Allocated at", "", COL_LIST, 0);
    table_row(v->t, 0);
    dataview_fill(v, &object->value, object->hits);
    table_text(v->t, name, dataview_title(v, object));
    table_text(v->t, kind, dataview_kind(object->thing.kind));
    table_number(v->t, lines, object->lines);
    if (object->thing.size)
        table_number(v->t, size, object->thing.size);
    if (object->thing.kind == DATA_VARIABLE) {
        object_get(v->sh->session, object->thing.object, &info);
        table_text(v->t, file, info.path);
    }
    if (object->thing.kind == DATA_STATIC)
        table_text(v->t, file, object->name);
    if (object->thing.kind == DATA_BLOCK || object->thing.kind == DATA_MAPPING)
        err = stackcell_fill(v->sh, v->t, stack, object->thing.node);
    return err;
}

int
cmd_data_single(struct shell *sh, int argc, char **argv)
{
    const struct data_object *object;
    struct dataview v;
    u64 number = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    int err = 0;
    u32 count;

    if (dataview_open(&v, sh))
        return 1;
    dataview_table(&v, argv[0], "Data object");
    object = find(&v, argv[1], number, &count);
    if (!count)
        err = shell_fail(sh, "there is no data object \"%.200s\"; data_objects has "
                             "them", argv[1]);
    else if (!object)
        err = shell_fail(sh, "\"%.200s\" is only %u data objects", argv[1], count);
    else if (count > 1 && !number)
        err = shell_fail(sh, "\"%.200s\" is %u data objects: add a number", argv[1],
                         count);
    else
        err = show(&v, object);
    dataview_close(&v);
    if (!err)
        return shell_show(sh, v.t);
    table_free(v.t);
    return err;
}
