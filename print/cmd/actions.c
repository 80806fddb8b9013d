/* SPDX-License-Identifier: Apache-2.0 */
/* The commands whose row in commands.def has their action. */
#include "print/cmd/command.h"
#include "print/cmd/commentary.h"
#include "print/cmd/indexes.h"
#include "print/cmd/metriclist.h"
#include "print/cmd/objmode.h"
#include "print/cmd/placefacts.h"
#include "print/cmd/select.h"
#include "print/cmd/shell.h"
#include "print/model/symbols/function.h"

/* 0, or 1 after a message that says why `what` could not be done. */
static int
shell_result(struct shell *sh, int err, const char *what)
{
    return err ? shell_fail_errno(sh, err, what) : 0;
}

#define ER_COMMAND(function, name, args, group, flags, help)
#define ER_ALIAS(function, name)
#define ER_ACTION(function, action)                             \
    int                                                         \
    cmd_##function(struct shell *sh, int argc, char **argv)     \
    {                                                           \
        (void)argc;                                             \
        (void)argv;                                             \
        return action;                                          \
    }
#include "print/commands.def"
