/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "print/cmd/shell.h"
#include "print/cmd/suppress.h"

static int
replace(struct shell *sh, struct suppressions *rules)
{
    if (!rules)
        return shell_fail(sh, "no memory is left");
    suppress_free(sh->suppressions);
    sh->suppressions = rules;
    return 0;
}

int
cmd_suppressions(struct shell *sh, int argc, char **argv)
{
    unsigned line = 0;
    FILE *file;
    int err;

    (void)argc;
    if (!strcmp(argv[1], "off"))
        return replace(sh, suppress_none());
    if (!sh->suppressions || !strcmp(argv[1], "default")) {
        err = replace(sh, suppress_default());
        if (err || !strcmp(argv[1], "default"))
            return err;
    }
    file = fopen(argv[1], "re");
    if (!file)
        return shell_fail_errno(sh, -errno, argv[1]);
    err = suppress_read(sh->suppressions, file, &line);
    fclose(file);
    if (err == -EINVAL)
        return shell_fail(sh, "%s:%u: no rule: function, object, source or bytes, each "
                          "with a pattern", argv[1], line);
    return err ? shell_fail_errno(sh, err, argv[1]) : 0;
}
