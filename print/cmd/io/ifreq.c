/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_ifreq(struct shell *sh, int argc, char **argv)
{
    (void)argc, (void)argv;
    return shell_fail(sh, "no experiment has counts of instructions; collect cannot "
                          "record them yet");
}
