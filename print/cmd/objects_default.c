/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/objmode.h"

int
cmd_objects_default(struct shell *sh, int argc, char **argv)
{
    (void)argc, (void)argv;
    return objmode_set(sh, "all", OBJECT_SHOW, -1);
}
