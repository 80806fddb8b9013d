/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <strings.h>

#include "print/cmd/shell.h"
#include "print/model/session/sessions.h"

int
cmd_en_desc(struct shell *sh, int argc, char **argv)
{
    const char *text = argv[1], *names = NULL;
    char why[200];
    int err;

    (void)argc;
    if (*text == '=')
        names = text + 1;
    else if (!strcasecmp(text, "off"))
        names = "";
    else if (strcasecmp(text, "on"))
        return shell_fail(sh, "\"%s\" is none of on, off, =REGEX", text);
    err = sessions_descendants(sh->session, names, why, sizeof(why));
    if (err == -EINVAL)
        return shell_fail(sh, "this is no regular expression: %s", why);
    return err ? shell_fail_errno(sh, err, text) : 0;
}
