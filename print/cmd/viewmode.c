/* SPDX-License-Identifier: Apache-2.0 */
#include <strings.h>

#include "print/cmd/shell.h"
#include "print/model/session/sessions.h"

int
cmd_viewmode(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    if (strcasecmp(argv[1], "user") && strcasecmp(argv[1], "expert") &&
        strcasecmp(argv[1], "machine"))
        return shell_fail(sh, "\"%s\" is none of user, expert, machine", argv[1]);
    sessions_view(sh->session, !strcasecmp(argv[1], "user"),
                 !strcasecmp(argv[1], "machine"));
    return 0;
}
