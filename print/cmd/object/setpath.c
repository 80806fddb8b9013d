/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_setpath(struct shell *sh, int argc, char **argv)
{
    int err = session_setpath(sh->session, argv[1]);

    (void)argc;
    return err ? shell_fail_errno(sh, err, argv[1]) : 0;
}
