/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_dmetrics(struct shell *sh, int argc, char **argv)
{
    char error[MSPEC_ERROR];

    (void)argc;
    if (mspec_parse(argv[1], &sh->dmetrics, error))
        return shell_fail(sh, "%s", error);
    sh->metrics = sh->dmetrics;
    sh->own_metrics = true;
    return 0;
}
