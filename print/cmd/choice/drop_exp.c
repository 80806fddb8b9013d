/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_drop_exp(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return shell_drop(sh, argv[1]);
}
