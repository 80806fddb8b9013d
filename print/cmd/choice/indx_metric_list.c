/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/metriclist.h"

int
cmd_indx_metric_list(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    return metriclist_show(sh, argv[0], MCOLS_PLACES);
}
