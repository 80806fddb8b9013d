/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/view/calls.h"

#include "print/cmd/compare.h"

int
cmd_callers_callees(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct table *t;
    struct calls c;
    struct rows rows;
    u32 n;
    int err;

    (void)argc;
    if (compare_is_on(sh))
        return compare_panels(sh, argv[0]);
    err = view_functions(sh->session, &order, &rows);
    if (err)
        return shell_fail_errno(sh, err, "functions cannot be listed");
    t = calls_table(&c, sh, argv[0]);
    n = shell_limit(sh, t, rows.count);
    err = arounds_open(sh->session, &c.all);
    if (!err)
        err = calls_panel(&c, sh, &(u32){ FUNC_TOTAL }, 1);
    for (u32 i = 0; i < n && !err; i++)
        err = calls_panel(&c, sh, &rows.row[i].func, 1);
    rows_free(&rows);
    arounds_close(c.all);
    if (!err)
        return shell_show(sh, t);
    table_free(t);
    return shell_fail_errno(sh, err, "callers and callees cannot be listed");
}
