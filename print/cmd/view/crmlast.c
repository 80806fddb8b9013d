/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/view/calls.h"

int
cmd_crmlast(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    if (sh->nfragment < 2)
        return shell_fail(sh, "the stack fragment has no more than one function");
    sh->nfragment--;
    return calls_show_fragment(sh, argv[0]);
}
