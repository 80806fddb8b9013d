/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/metriclist.h"

#include <string.h>

#include "print/model/recorded.h"

struct metric_view {
    struct shell *sh;
    struct table *t;
    const struct mspec *shown_spec;
    enum mcols_view kind;
    u32 spec, title, unit, shown, doc;
};

static bool
is_shown(const struct mspec *spec, struct mspec_item item)
{
    for (u32 i = 0; i < spec->n; i++)
        if (spec->item[i].kind == item.kind && spec->item[i].visibility != '!' &&
            (item.kind != MSPEC_METRIC || (spec->item[i].metric == item.metric &&
                                           spec->item[i].flavour == item.flavour)))
            return true;
    return false;
}

static void
add_row(const struct metric_view *v, struct mspec_item item, const char *title,
        const char *unit, const char *doc)
{
    struct mspec one = { .n = 1, .item = { item } };
    char spec[80];

    if (item.kind == MSPEC_METRIC) {
        one.item[1] = item;
        one.item[1].visibility = '%';
        one.n += !metric_is_ratio(item.metric);
    }
    mspec_format(&one, spec, sizeof(spec));
    table_row(v->t, 0);
    table_number(v->t, v->shown, (u64)is_shown(v->shown_spec, item));
    table_text(v->t, v->spec, spec);
    table_text(v->t, v->title, title);
    table_text(v->t, v->unit, unit);
    table_text(v->t, v->doc, doc);
}

static void
add_metric(const struct metric_view *v, enum metric m)
{
    static const char *const words[FLAVOUR_COUNT] = {
        [FLAVOUR_EXCLUSIVE] = "Exclusive",
        [FLAVOUR_INCLUSIVE] = "Inclusive",
        [FLAVOUR_ATTRIBUTED] = "Attributed",
    };
    static const char *const units[] = {
        [METRIC_NS] = "sec.",
        [METRIC_COUNTS] = "",
        [METRIC_BYTES] = "byte",
        [METRIC_RATIO] = "",
    };
    char title[80];

    for (int f = 0; f < FLAVOUR_COUNT; f++) {
        struct mspec_item item = {
            .kind = MSPEC_METRIC,
            .metric = m,
            .flavour = (enum flavour)f,
            .visibility = '.',
        };

        if (!strchr(metrics[m].flavours, "eia"[f]) ||
            (v->kind == MCOLS_PLACES && f == FLAVOUR_ATTRIBUTED))
            continue;
        snprintf(title, sizeof(title), "%s %s", words[f], metrics[m].title);
        add_row(v, item, title, units[metrics[m].unit], metrics[m].doc);
    }
}

static void
add_static(const struct metric_view *v, enum mspec_kind kind, const char *title,
           const char *unit, const char *doc)
{
    struct mspec_item item = { .kind = kind, .visibility = '.' };

    add_row(v, item, title, unit, doc);
}

static void
add_statics(const struct metric_view *v)
{
    if (v->kind == MCOLS_FUNCTIONS) {
        add_static(v, MSPEC_SIZE, "Size", "byte", "bytes of the function's code");
        add_static(v, MSPEC_ADDRESS, "Address", "",
                   "where the function's code starts, as linked");
        add_static(v, MSPEC_NAME, "Name", "",
                   "the function's name; always shown, last if not placed");
    } else {
        add_static(v, MSPEC_NAME, "Name", "", "always shown, last if not placed");
    }
}

int
metriclist_show(struct shell *sh, const char *command, enum mcols_view kind)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    struct metric_view v = { .sh = sh, .t = t, .kind = kind };
    struct order order = kind == MCOLS_CALLS ? list_call_order(sh) : sh->sort;
    struct mspec shown;
    char text[512];

    mcols_shown(sh, kind, &shown);
    v.shown_spec = &shown;
    table_title(t, "Metrics");
    mspec_format(&shown, text, sizeof(text));
    table_fact(t, "metrics", "Shown", text);
    mspec_format_sort(&order, text, sizeof(text));
    table_fact(t, "sort", "Sorted by", text);
    v.shown = table_column(t, "shown", "Shown", "", COL_BOOL, 0);
    v.spec = table_column(t, "spec", "As typed", "", COL_TEXT, 0);
    v.title = table_column(t, "title", "Metric", "", COL_TEXT, 0);
    v.unit = table_column(t, "unit", "Unit", "", COL_TEXT, 0);
    v.doc = table_column(t, "doc", "What it is", "", COL_TEXT, 0);
    for (int m = 0; m < METRIC_ALL; m++)
        if (metric_is_there((enum metric)m) &&
            !recorded_lack(sh->session, (enum metric)m))
            add_metric(&v, (enum metric)m);
    add_statics(&v);
    return shell_show(sh, t);
}
