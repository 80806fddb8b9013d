/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_sthresh(struct shell *sh, int argc, char **argv)
{
    u64 percent;

    (void)argc;
    if (shell_number(sh, argv[1], 100, &percent))
        return 1;
    sh->sthresh = (u32)percent;
    return 0;
}
