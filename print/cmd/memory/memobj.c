/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/indexes.h"

int
cmd_memobj(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return indexes_show(sh, INDEX_MEMORY, argv[0], argv[1]);
}
