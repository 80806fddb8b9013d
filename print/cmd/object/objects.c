/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "print/cmd/list.h"
#include "print/cmd/objmode.h"

struct objects_view {
    struct shell *sh;
    struct mcols m;
    const struct row *total;
    u32 name, path, symbols, lines, buildid, problem;
};

static void
add_row(const struct objects_view *v, u32 object, const struct row *r,
        const struct values *whole)
{
    static const struct values zero;
    struct mcols_values values = {
        .excl = r ? &r->excl : &zero,
        .incl = r ? &r->incl : &zero,
        .whole = whole,
    };
    struct table *t = v->m.table;
    struct object_info o;

    object_get(v->sh->session, object, &o);
    table_row(t, 0);
    mcols_fill(&v->m, &values);
    table_text(t, v->name, r && r == v->total ? "<Total>" : o.name);
    if (object) {
        table_text(t, v->path, o.path);
        table_number(t, v->symbols, o.symbols);
        table_number(t, v->lines, o.lines);
        if (o.buildid && *o.buildid)
            table_text(t, v->buildid, o.buildid);
    }
    if (o.problem && *o.problem)
        table_text(t, v->problem, o.problem);
}

static void
add_columns(struct objects_view *v, struct table *t)
{
    mcols_before(&v->m, v->sh, t, MCOLS_PLACES);
    v->name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    v->symbols = table_column(t, "symbols", "Symbols", "", COL_BOOL, 0);
    v->lines = table_column(t, "lines", "Lines", "", COL_BOOL, 0);
    v->buildid = table_column(t, "buildid", "Build-id", "", COL_TEXT, COL_DATA_ONLY);
    v->path = table_column(t, "path", "Path", "", COL_TEXT, 0);
    v->problem = table_column(t, "problem", "Problem", "", COL_TEXT, 0);
    mcols_after(&v->m);
}

/* Add the objects that have values, in order; then the others, by number. */
static void
add_rows(const struct objects_view *v, const struct rows *rows)
{
    u32 count = object_count(v->sh->session);
    char *seen = mem_realloc(NULL, count + 1);
    u32 left = shell_limit(v->sh, v->m.table, count);

    add_row(v, 0, &rows->total, &rows->total.incl);
    for (u32 i = 0; i < count; i++)
        seen[i] = 0;
    for (u32 i = 0; i < rows->count && left; i++, left--) {
        add_row(v, rows->row[i].object, &rows->row[i], &rows->total.incl);
        if (rows->row[i].object < count)
            seen[rows->row[i].object] = 1;
    }
    for (u32 i = 1; i < count && left; i++) {
        if (seen[i])
            continue;
        add_row(v, i, NULL, &rows->total.incl);
        left--;
    }
    free(seen);
}

int
cmd_objects(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct objects_view v = { .sh = sh };
    struct table *t;
    struct rows rows;
    int err = view_objects(sh->session, &order, &rows);

    (void)argc;
    if (err)
        return shell_fail_errno(sh, err, "load objects cannot be listed");
    t = list_table(argv[0], "Load objects", &order);
    add_columns(&v, t);
    v.total = &rows.total;
    add_rows(&v, &rows);
    rows_free(&rows);
    return shell_show(sh, t);
}

int
cmd_object_list(struct shell *sh, int argc, char **argv)
{
    static const char *const modes[] = {
        [OBJECT_SHOW] = "show",
        [OBJECT_HIDE] = "hide",
        [OBJECT_API] = "api",
    };
    struct table *t = table_new(argv[0], LAYOUT_COLUMNS);
    u32 mode = table_column(t, "mode", "Mode", "", COL_TEXT, 0);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    u32 path = table_column(t, "path", "Path", "", COL_TEXT, 0);
    u32 shown = shell_limit(sh, t, object_count(sh->session) - 1);
    struct object_info o;

    (void)argc;
    for (u32 i = 1; i <= shown; i++) {
        object_get(sh->session, i, &o);
        table_row(t, 0);
        table_text(t, mode, modes[hide_get_mode(sh->session, i)]);
        table_text(t, name, o.name);
        table_text(t, path, o.path);
    }
    return shell_show(sh, t);
}
