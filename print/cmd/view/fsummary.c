/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/facts.h"

int
cmd_fsummary(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct table *t;
    struct facts f;
    struct rows rows;
    u32 n;
    int err = view_functions(sh->session, &order, &rows);

    (void)argc;
    if (err)
        return shell_fail_errno(sh, err, "functions cannot be listed");
    t = list_table(argv[0], "Functions", &order);
    t->layout = LAYOUT_BLOCKS;
    facts_columns(&f, sh, t);
    facts_row(&f, sh, FUNC_TOTAL, &rows.total, &rows.total.incl);
    n = shell_limit(sh, t, rows.count);
    for (u32 i = 0; i < n; i++)
        facts_row(&f, sh, rows.row[i].func, &rows.row[i], &rows.total.incl);
    rows_free(&rows);
    return shell_show(sh, t);
}
