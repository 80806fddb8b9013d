/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/view/calls.h"

int
cmd_cappend(struct shell *sh, int argc, char **argv)
{
    u32 function;

    if (shell_function(sh, argc, argv, &function))
        return 1;
    if (sh->nfragment == FRAGMENT_MAX)
        return shell_fail(sh, "the stack fragment is full");
    sh->fragment[sh->nfragment++] = function;
    return calls_show_fragment(sh, argv[0]);
}
