/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <strings.h>

#include "print/cmd/shell.h"

int
cmd_name(struct shell *sh, int argc, char **argv)
{
    static const char *const styles[] = {
        [NAME_LONG] = "long",
        [NAME_SHORT] = "short",
        [NAME_BRIEF] = "brief",
        [NAME_MANGLED] = "mangled",
    };
    size_t len = strcspn(argv[1], ":");
    const char *rest = argv[1] + len;
    int style = -1, soname = -1;

    (void)argc;
    for (int i = NAME_LONG; i <= NAME_MANGLED; i++)
        if (len == strlen(styles[i]) && !strncasecmp(argv[1], styles[i], len))
            style = i;
    if (!*rest)
        soname = sh->session->soname;
    else if (!strcasecmp(rest, ":soname"))
        soname = 1;
    else if (!strcasecmp(rest, ":nosoname"))
        soname = 0;
    if (style < 0 || soname < 0)
        return shell_fail(sh, "\"%s\" is not long, short, brief or mangled, then "
                              "perhaps :soname or :nosoname", argv[1]);
    sh->session->names = (enum name_style)style;
    sh->session->soname = soname;
    return 0;
}
