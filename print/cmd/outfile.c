/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_outfile(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return shell_output(sh, argv[1], "we");
}
