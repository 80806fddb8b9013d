/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/calls.h"

int
cmd_csingle(struct shell *sh, int argc, char **argv)
{
    struct table *t;
    struct calls c;
    u32 function;
    int err;

    if (shell_function(sh, argc, argv, &function))
        return 1;
    t = calls_table(&c, sh, argv[0]);
    err = calls_panel(&c, sh, function);
    if (!err)
        return shell_show(sh, t);
    table_free(t);
    return shell_fail_errno(sh, err, "callers and callees cannot be listed");
}
