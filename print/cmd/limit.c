/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_limit(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return shell_number(sh, argv[1], UINT32_MAX, &sh->limit);
}
