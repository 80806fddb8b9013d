/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/run.h"

int
cmd_script(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    sh->command = NULL; /* commands of the script fail under their own names */
    return run_file(sh, argv[1]);
}
