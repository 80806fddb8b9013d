/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/indexes.h"

int
cmd_cpu_list(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return indexes_show(sh, INDEX_EVENTS, argv[0], "CPUs");
}
