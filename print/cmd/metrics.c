/* SPDX-License-Identifier: Apache-2.0 */
#include <strings.h>

#include "print/cmd/shell.h"

int
cmd_metrics(struct shell *sh, int argc, char **argv)
{
    char error[MSPEC_ERROR];

    (void)argc;
    if (!strcasecmp(argv[1], "default"))
        sh->metrics = sh->dmetrics;
    else if (mspec_parse(argv[1], &sh->metrics, error))
        return shell_fail(sh, "%s", error);
    sh->own_metrics = strcasecmp(argv[1], "default") != 0;
    return 0;
}
