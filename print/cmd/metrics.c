/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that choose metrics, and the one to sort by. */
#include <string.h>
#include <strings.h>

#include "print/cmd/shell.h"
#include "print/model/recorded.h"

/* Remove metrics without data. Returns the first that was removed, or METRIC_ALL. */
static enum metric
keep_recorded(const struct session *session, struct mspec *spec)
{
    enum metric lacking = METRIC_ALL;
    u32 kept = 0;

    for (u32 i = 0; i < spec->n; i++) {
        const struct mspec_item *item = &spec->item[i];

        if (item->kind == MSPEC_METRIC && recorded_lack(session, item->metric))
            lacking = lacking == METRIC_ALL ? item->metric : lacking;
        else
            spec->item[kept++] = *item;
    }
    spec->n = kept;
    return lacking;
}

/* Whether a column shows the metric of the order, in its flavour. */
static bool
is_shown(const struct mspec *spec, const struct order *order)
{
    for (u32 i = 0; i < spec->n; i++) {
        const struct mspec_item *item = &spec->item[i];

        if (item->kind == MSPEC_METRIC && item->visibility != '!' &&
            item->metric == order->metric && item->flavour == order->flavour)
            return true;
    }
    return false;
}

/*
 * Unless the user has chosen an order, sort by the default one if its column is shown,
 * else by the first metric that is shown.
 */
static void
sort_by_shown(struct shell *sh)
{
    const struct mspec *spec = &sh->metrics;

    if (sh->own_sort)
        return;
    sh->sort = sh->dsort;
    if (sh->sort.by != ORDER_METRIC || is_shown(spec, &sh->sort))
        return;
    for (u32 i = 0; i < spec->n; i++) {
        const struct mspec_item *item = &spec->item[i];

        if (item->kind == MSPEC_METRIC && item->visibility != '!' &&
            item->flavour != FLAVOUR_ATTRIBUTED) {
            sh->sort.metric = item->metric;
            sh->sort.flavour = item->flavour;
            return;
        }
    }
}

int
cmd_metrics(struct shell *sh, int argc, char **argv)
{
    char error[MSPEC_ERROR];
    enum metric lacking;
    struct mspec spec;

    (void)argc;
    if (!strcasecmp(argv[1], "default"))
        spec = sh->dmetrics;
    else if (mspec_parse(argv[1], &spec, error))
        return shell_fail(sh, "%s", error);
    lacking = keep_recorded(sh->session, &spec);
    /* "any" is any that there is. */
    if (lacking != METRIC_ALL && strcasecmp(argv[1], "default") &&
        !strcasestr(argv[1], "any"))
        return shell_fail(sh, "no data for %s: %s", metrics[lacking].name,
                          recorded_lack(sh->session, lacking));
    sh->metrics = spec;
    sh->own_metrics = strcasecmp(argv[1], "default") != 0;
    sort_by_shown(sh);
    return 0;
}

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
    sort_by_shown(sh);
    return 0;
}

int
cmd_dmetrics(struct shell *sh, int argc, char **argv)
{
    char error[MSPEC_ERROR];

    (void)argc;
    if (mspec_parse(argv[1], &sh->dmetrics, error))
        return shell_fail(sh, "%s", error);
    sh->metrics = sh->dmetrics;
    sh->own_metrics = true;
    return 0;
}

int
cmd_dsort(struct shell *sh, int argc, char **argv)
{
    char error[MSPEC_ERROR];

    (void)argc;
    if (mspec_parse_sort(argv[1], &sh->dsort, error))
        return shell_fail(sh, "%s", error);
    sh->sort = sh->dsort;
    sh->own_sort = true;
    return 0;
}
