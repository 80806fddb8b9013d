/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <strings.h>

#include "print/cmd/shell.h"

int
cmd_filters(struct shell *sh, int argc, char **argv)
{
    const char *text = strcasecmp(argv[1], "all") ? argv[1] : NULL;
    struct filter_error error;
    int err = filter_set(sh->session, FILTER_EXPRESSION, text, &error);

    (void)argc;
    if (err == -EINVAL)
        return shell_fail_at(sh, argv[1], error.column, error.text);
    return err ? shell_fail_errno(sh, err, "the filter cannot be set") : 0;
}
