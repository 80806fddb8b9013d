/* SPDX-License-Identifier: Apache-2.0 */
/* Data objects: data_objects, data_layout, data_single. */
#include <stdlib.h>
#include <string.h>

#include "print/cmd/memory/dataview.h"
#include "print/cmd/stackcell.h"

static void
add_row(const struct dataview *v, const struct data_object *object, u32 name, u32 kind,
        u32 size)
{
    table_row(v->t, 0);
    dataview_fill(v, &object->value, object->hits);
    table_text(v->t, name, dataview_title(v, object));
    table_text(v->t, kind, dataview_kind(object->thing.kind));
    if (object->thing.size)
        table_number(v->t, size, object->thing.size);
}

int
cmd_data_objects(struct shell *sh, int argc, char **argv)
{
    u32 name, kind, size, n;
    struct dataview v;

    (void)argc;
    if (dataview_open(&v, sh))
        return 1;
    dataview_table(&v, argv[0], "Data objects");
    kind = table_column(v.t, "kind", "Kind", "", COL_TEXT, 0);
    size = table_column(v.t, "size", "Size", "byte", COL_COUNT, 0);
    name = table_column(v.t, "name", "Name", "", COL_TEXT, 0);
    table_row(v.t, 0);
    dataview_fill(&v, &v.data.total, v.data.hits);
    table_text(v.t, name, "<Total>");
    n = shell_limit(sh, v.t, v.data.count);
    for (u32 i = 0; i < n; i++)
        add_row(&v, &v.data.row[i], name, kind, size);
    dataview_close(&v);
    return shell_show(sh, v.t);
}

/* Add a line: the offset if it is in a variable or block, elsewhere the address. */
static void
add_line(const struct dataview *v, const struct data_line *line, u32 offset, u32 name)
{
    struct values values = dataobjs_values(line);

    table_row(v->t, 0);
    dataview_fill(v, &values, line->hits);
    table_number(v->t, offset, line->offset);
    table_text(v->t, name, "");
}

/*
 * Add an object and the places in it, at most `left` rows. Returns the number of rows.
 */
static u32
add_object(const struct dataview *v, u32 i, u32 left, u32 offset, u32 name)
{
    const struct data_object *object = &v->data.row[i];
    u32 n = object->lines < left ? object->lines : left - 1;

    table_row(v->t, i ? ROW_GAP : 0);
    dataview_fill(v, &object->value, object->hits);
    table_text(v->t, name, dataview_title(v, object));
    for (u32 k = 0; k < n; k++)
        add_line(v, &v->data.line[object->line + k], offset, name);
    return n + 1;
}

int
cmd_data_layout(struct shell *sh, int argc, char **argv)
{
    u32 offset, name, left;
    struct dataview v;

    (void)argc;
    if (dataview_open(&v, sh))
        return 1;
    dataview_table(&v, argv[0], "Layout of data objects");
    offset = table_column(v.t, "offset", "Offset or\naddress", "", COL_ADDRESS, 0);
    name = table_column(v.t, "name", "Name", "", COL_TEXT, 0);
    left = shell_limit(sh, v.t, v.data.count + v.data.lines);
    for (u32 i = 0; i < v.data.count && left; i++)
        left -= add_object(&v, i, left, offset, name);
    dataview_close(&v);
    return shell_show(sh, v.t);
}

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
