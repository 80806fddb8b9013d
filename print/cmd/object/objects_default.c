/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"
#include "print/model/symbols/function.h"

int
cmd_objects_default(struct shell *sh, int argc, char **argv)
{
    (void)argc, (void)argv;
    object_default_modes(sh->session);
    return 0;
}
