/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "print/cmd/view/calls.h"

int
cmd_cprepend(struct shell *sh, int argc, char **argv)
{
    u32 function;

    if (shell_function(sh, argc, argv, &function))
        return 1;
    if (sh->nfragment == FRAGMENT_MAX)
        return shell_fail(sh, "the stack fragment is full");
    memmove(sh->fragment + 1, sh->fragment, sh->nfragment * sizeof(*sh->fragment));
    sh->fragment[0] = function;
    sh->nfragment++;
    return calls_show_fragment(sh, argv[0]);
}
