/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_pathmap(struct shell *sh, int argc, char **argv)
{
    int err = session_pathmap(sh->session, argv[1], argv[2]);

    (void)argc;
    return err ? shell_fail_errno(sh, err, argv[1]) : 0;
}
