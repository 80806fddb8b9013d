/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/view/calls.h"

int
cmd_csingle(struct shell *sh, int argc, char **argv)
{
    if (shell_function(sh, argc, argv, &sh->fragment[0]))
        return 1;
    sh->nfragment = 1;
    return calls_show_fragment(sh, argv[0]);
}
