/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/dataview.h"
#include "print/cmd/indexes.h"

static bool
is_allocated(const struct data_object *object)
{
    return object->thing.kind == DATA_BLOCK || object->thing.kind == DATA_MAPPING;
}

static void
add_row(const struct dataview *v, u32 name, const char *title,
        const struct values *values, u64 hits)
{
    table_row(v->t, 0);
    dataview_fill(v, values, hits);
    table_text(v->t, name, title);
}

/*
 * Add a first row for events that are in no block, as other types of objects have one.
 */
static void
add_rest(const struct dataview *v, u32 name)
{
    struct values rest = { { 0 } };
    u64 hits = 0;

    for (u32 i = 0; i < v->data.count; i++)
        if (!is_allocated(&v->data.row[i])) {
            values_add(&rest, &v->data.row[i].value);
            hits += v->data.row[i].hits;
        }
    if (hits)
        add_row(v, name, "<none>", &rest, hits);
}

int
allocations_show(struct shell *sh, const char *command, const char *type)
{
    struct dataview v;
    u32 name, count = 0, n;

    if (dataview_open(&v, sh))
        return 1;
    dataview_table(&v, command, type);
    name = table_column(v.t, "name", "Name", "", COL_TEXT, 0);
    add_row(&v, name, "<Total>", &v.data.total, v.data.hits);
    add_rest(&v, name);
    for (u32 i = 0; i < v.data.count; i++)
        count += is_allocated(&v.data.row[i]);
    n = shell_limit(sh, v.t, count);
    for (u32 i = 0; i < v.data.count && n; i++) {
        const struct data_object *object = &v.data.row[i];

        if (!is_allocated(object))
            continue;
        add_row(&v, name, dataview_title(&v, object), &object->value, object->hits);
        n--;
    }
    dataview_close(&v);
    return shell_show(sh, v.t);
}
