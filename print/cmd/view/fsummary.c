/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of facts of functions: fsummary, fsingle. */
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

static const struct row *
find_row(const struct rows *rows, u32 function)
{
    for (u32 i = 0; i < rows->count; i++)
        if (rows->row[i].func == function)
            return &rows->row[i];
    return function == FUNC_TOTAL ? &rows->total : NULL;
}

int
cmd_fsingle(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct table *t;
    struct facts f;
    struct rows rows;
    u32 function;
    int err;

    if (shell_function(sh, argc, argv, &function))
        return 1;
    err = view_functions(sh->session, &order, &rows);
    if (err)
        return shell_fail_errno(sh, err, "metrics cannot be read");
    t = table_new(argv[0], LAYOUT_BLOCKS);
    facts_columns(&f, sh, t);
    facts_row(&f, sh, function, find_row(&rows, function), &rows.total.incl);
    rows_free(&rows);
    return shell_show(sh, t);
}
