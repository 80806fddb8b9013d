/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_quit(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    sh->quit = true;
    return 0;
}
