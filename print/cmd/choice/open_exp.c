/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

/*
 * The new experiment is opened before the old ones are dropped, so that a wrong name
 * changes nothing.
 */
int
cmd_open_exp(struct shell *sh, int argc, char **argv)
{
    u32 old = sh->session->nexperiments;

    (void)argc;
    if (shell_add(sh, argv[1]))
        return 1;
    while (old--)
        shell_forget(sh, 0);
    return 0;
}
