/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_add_exp(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return shell_add(sh, argv[1]);
}
