/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_dsort(struct shell *sh, int argc, char **argv)
{
    char error[MSPEC_ERROR];

    (void)argc;
    if (mspec_parse_sort(argv[1], &sh->dsort, error))
        return shell_fail(sh, "%s", error);
    sh->sort = sh->dsort;
    sh->own_sort = true;
    return 0;
}
