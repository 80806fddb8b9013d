/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/compare.h"
#include "print/cmd/comparison.h"
#include "print/cmd/list.h"

static void
add_row(const struct mcols *m, u32 name, struct shell *sh, const struct row *r,
        const struct values *whole)
{
    struct mcols_values v = {
        .excl = &r->excl,
        .incl = &r->incl,
        .whole = whole,
        .size = r->size,
        .address = r->addr,
    };

    table_row(m->table, 0);
    table_function(m->table, r->func);
    mcols_fill(m, &v);
    table_text(m->table, name, function_title(sh->session, r->func));
}

int
cmd_functions(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct table *t;
    struct mcols m;
    struct rows rows;
    u32 name, n;
    int err;

    (void)argc;
    if (comparison_is_on(sh))
        return compare_functions(sh, argv[0]);
    err = view_functions(sh->session, &order, &rows);
    if (err)
        return shell_fail_errno(sh, err, "functions cannot be listed");
    t = list_table(argv[0], "Functions", &order);
    mcols_before(&m, sh, t, MCOLS_FUNCTIONS);
    name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    mcols_after(&m);
    add_row(&m, name, sh, &rows.total, &rows.total.incl);
    n = shell_limit(sh, t, rows.count);
    for (u32 i = 0; i < n; i++)
        add_row(&m, name, sh, &rows.row[i], &rows.total.incl);
    rows_free(&rows);
    return shell_show(sh, t);
}
