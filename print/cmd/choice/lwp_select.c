/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/select.h"

int
cmd_lwp_select(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return select_set(sh, FILTER_LWPS, "LWPID", argv[1]);
}
