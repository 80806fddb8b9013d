/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/indexes.h"

int
cmd_mobj_list(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return indexes_list(sh, INDEX_MEMORY, argv[0]);
}
