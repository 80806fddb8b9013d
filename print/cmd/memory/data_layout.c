/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/dataview.h"

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
