/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/run.h"

int
cmd_script(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    sh->command = NULL; /* what fails in there has a name of its own */
    return run_file(sh, argv[1]);
}
