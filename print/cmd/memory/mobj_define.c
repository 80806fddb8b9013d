/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/indexes.h"

int
cmd_mobj_define(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return indexes_define(sh, INDEX_MEMORY, argv[1], argv[2]);
}
