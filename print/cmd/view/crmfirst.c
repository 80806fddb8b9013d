/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "print/cmd/view/calls.h"

int
cmd_crmfirst(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    if (sh->nfragment < 2)
        return shell_fail(sh, "the stack fragment has no more than one function");
    memmove(sh->fragment, sh->fragment + 1, --sh->nfragment * sizeof(*sh->fragment));
    return calls_show_fragment(sh, argv[0]);
}
