/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/compare.h"
#include "print/cmd/comparison.h"
#include "print/cmd/list.h"

struct lines_view {
    struct shell *sh;
    struct mcols m;
    u32 place, file, line, function;
};

static void
add_row(const struct lines_view *v, const struct row *r, const struct values *whole)
{
    struct mcols_values values = { .excl = &r->excl, .incl = &r->incl, .whole = whole };
    struct table *t = v->m.table;
    char place[256];

    table_row(t, 0);
    table_function(t, r->func);
    mcols_fill(&v->m, &values);
    table_text(t, v->place,
               list_place(v->sh, r->object, r->file, r->line, place, sizeof(place)));
    if (r->file)
        table_text(t, v->file, file_path(v->sh->session, r->file));
    if (r->line)
        table_number(t, v->line, r->line);
    table_text(t, v->function, function_title(v->sh->session, r->func));
}

int
cmd_lines(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct lines_view v = { .sh = sh };
    struct table *t;
    struct rows rows;
    u32 n;
    int err;

    (void)argc;
    if (comparison_is_on(sh))
        return compare_lines(sh, argv[0]);
    err = view_lines(sh->session, &order, &rows);
    if (err)
        return shell_fail_errno(sh, err, "lines cannot be listed");
    t = list_table(argv[0], "Source lines", &order);
    mcols_before(&v.m, sh, t, MCOLS_PLACES);
    v.place = table_column(t, "place", "Line", "", COL_TEXT, COL_TEXT_ONLY);
    v.file = table_column(t, "file", "File", "", COL_TEXT, COL_DATA_ONLY);
    v.line = table_column(t, "line", "Line", "", COL_COUNT, COL_DATA_ONLY);
    v.function = table_column(t, "function", "Function", "", COL_TEXT, 0);
    mcols_after(&v.m);
    add_row(&v, &rows.total, &rows.total.incl);
    n = shell_limit(sh, t, rows.count);
    for (u32 i = 0; i < n; i++)
        add_row(&v, &rows.row[i], &rows.total.incl);
    rows_free(&rows);
    return shell_show(sh, t);
}
