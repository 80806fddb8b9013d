/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/object/objmode.h"

int
cmd_object_api(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return objmode_set(sh, argv[1], OBJECT_API, -1);
}
