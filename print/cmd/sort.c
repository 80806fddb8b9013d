/* SPDX-License-Identifier: Apache-2.0 */
#include <strings.h>

#include "print/cmd/shell.h"
#include "print/model/recorded.h"

int
cmd_sort(struct shell *sh, int argc, char **argv)
{
    char error[MSPEC_ERROR];
    struct order order;
    const char *lack;

    (void)argc;
    if (!strcasecmp(argv[1], "default"))
        order = sh->dsort;
    else if (mspec_parse_sort(argv[1], &order, error))
        return shell_fail(sh, "%s", error);
    lack = order.by == ORDER_METRIC ? recorded_lack(sh->session, order.metric) : NULL;
    if (lack)
        return shell_fail(sh, "no data for %s: %s", metrics[order.metric].name, lack);
    sh->sort = order;
    sh->own_sort = strcasecmp(argv[1], "default") != 0;
    return 0;
}
