/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/dataview.h"

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
