/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/placefacts.h"

struct placefacts {
    struct shell *sh;
    struct mcols m;
    bool pcs;
    u32 name, function, file, line, address, object, linkage;
};

static void
add_columns(struct placefacts *f, struct table *t)
{
    f->name = f->pcs ? table_column(t, "pc", "PC", "", COL_TEXT, 0)
                     : table_column(t, "place", "Line", "", COL_TEXT, 0);
    mcols_before(&f->m, f->sh, t, MCOLS_PLACES);
    mcols_after(&f->m);
    f->function = table_column(t, "function", "Function", "", COL_TEXT, 0);
    if (f->pcs)
        f->address = table_column(t, "address", "Address", "", COL_ADDRESS, 0);
    f->file = table_column(t, "file", "Source file", "", COL_TEXT, 0);
    f->line = table_column(t, "line", "Line", "", COL_COUNT, 0);
    f->object = table_column(t, "object", "Load object", "", COL_TEXT, 0);
    f->linkage = table_column(t, "linkage", "Linkage name", "", COL_TEXT, 0);
}

/*
 * Write the heading of a block: a program counter; or a line, or what is known instead
 * of the line.
 */
static void
fill_name(const struct placefacts *f, const struct row *r)
{
    char name[512];

    if (f->pcs)
        list_pc(f->sh, r, name, sizeof(name));
    else
        list_place(f->sh, r->object, r->file, r->line, name, sizeof(name));
    table_text(f->m.table, f->name,
               *name ? name : function_title(f->sh->session, r->func));
}

static void
add_row(const struct placefacts *f, const struct row *r, const struct values *whole)
{
    struct mcols_values values = { .excl = &r->excl, .incl = &r->incl, .whole = whole };
    struct session *s = f->sh->session;
    struct table *t = f->m.table;
    struct function_info info;
    struct object_info object;

    table_row(t, 0);
    fill_name(f, r);
    mcols_fill(&f->m, &values);
    if (r->func < FUNC_PSEUDO_COUNT)
        return;
    function_get(s, r->func, &info);
    object_get(s, info.object, &object);
    table_text(t, f->function, function_title(s, r->func));
    if (f->pcs)
        table_number(t, f->address, r->addr);
    if (r->file)
        table_text(t, f->file, file_path(s, r->file));
    if (r->line)
        table_number(t, f->line, r->line);
    table_text(t, f->object, object.path);
    table_text(t, f->linkage, info.linkage);
}

int
placefacts_show(struct shell *sh, const char *command, const char *title,
                placefacts_view *view, bool pcs)
{
    struct placefacts f = { .sh = sh, .pcs = pcs };
    struct order order = list_order(sh);
    struct table *t;
    struct rows rows;
    u32 n;
    int err = view(sh->session, &order, &rows);

    if (err)
        return shell_fail_errno(sh, err, "metrics cannot be read");
    t = list_table(command, title, &order);
    t->layout = LAYOUT_BLOCKS;
    add_columns(&f, t);
    add_row(&f, &rows.total, &rows.total.incl);
    n = shell_limit(sh, t, rows.count);
    for (u32 i = 0; i < n; i++)
        add_row(&f, &rows.row[i], &rows.total.incl);
    rows_free(&rows);
    return shell_show(sh, t);
}
