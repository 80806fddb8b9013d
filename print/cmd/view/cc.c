/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/commentary.h"

int
cmd_cc(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return commentary_set(sh, argv[1], true, true);
}
