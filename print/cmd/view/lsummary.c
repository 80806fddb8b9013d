/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/placefacts.h"

int
cmd_lsummary(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return placefacts_show(sh, argv[0], "Source lines", view_lines, false);
}
