/* SPDX-License-Identifier: Apache-2.0 */
#include <strings.h>

#include "print/cmd/shell.h"

int
cmd_sort(struct shell *sh, int argc, char **argv)
{
    char error[MSPEC_ERROR];

    (void)argc;
    if (!strcasecmp(argv[1], "default"))
        sh->sort = sh->dsort;
    else if (mspec_parse_sort(argv[1], &sh->sort, error))
        return shell_fail(sh, "%s", error);
    sh->own_sort = strcasecmp(argv[1], "default") != 0;
    return 0;
}
