/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/facts.h"

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
