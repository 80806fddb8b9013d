/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/dataview.h"

#include <stdlib.h>

#include "print/cmd/list.h"
#include "print/model/data/datatitle.h"

/*
 * Choose the order: by the sort metric, if it has data addresses; else by the first
 * metric that has.
 */
static void
choose(struct dataview *v)
{
    const struct session *s = v->sh->session;

    v->order = list_order(v->sh);
    for (u32 i = 0; i < s->nexperiments; i++)
        for (u32 k = 0; k < s->experiment[i]->counters.count; k++) {
            const struct counter_row *row = &s->experiment[i]->counters.row[k];
            u32 at = 0;

            while (at < v->counters && (int)v->metric[at] != row->metric)
                at++;
            if (row->name && row->addresses && row->metric >= 0 && at == v->counters &&
                at < DATA_COUNTERS)
                v->metric[v->counters++] = (enum metric)row->metric;
        }
    for (u32 i = 0; i < v->counters; i++)
        if (v->metric[i] == v->order.metric)
            return;
    if (v->order.by == ORDER_METRIC && v->counters)
        v->order.metric = v->metric[0];
    v->order.flavour = FLAVOUR_EXCLUSIVE;
}

int
dataview_open(struct dataview *v, struct shell *sh)
{
    int err;

    *v = (struct dataview){ .sh = sh };
    choose(v);
    err = dataobjs_get(sh->session, &v->order, &v->data);
    if (err)
        return shell_fail_errno(sh, err, "data objects cannot be listed");
    if (v->data.recorded)
        return 0;
    dataview_close(v);
    return shell_fail(sh, "no experiment has addresses of data (collect -h +NAME, such "
                          "as +page-faults, records them)");
}

void
dataview_close(struct dataview *v)
{
    dataobjs_free(&v->data);
}

void
dataview_table(struct dataview *v, const char *command, const char *what)
{
    char key[128], title[128];

    v->t = table_new(command, LAYOUT_COLUMNS);
    if (v->order.by == ORDER_METRIC)
        table_title(v->t, "%s, by %s%s", what, metrics[v->order.metric].title,
                    v->order.reverse ? ", reversed" : "");
    else
        table_title(v->t, "%s", what);
    for (u32 i = 0; i < v->counters; i++) {
        const struct metric_desc *d = &metrics[v->metric[i]];
        bool time = d->unit == METRIC_NS;

        snprintf(key, sizeof(key), "d.%.80s", d->name);
        snprintf(title, sizeof(title), "Data\n%.80s", d->title);
        v->value[i] = table_column(v->t, key, title, time ? "sec." : "",
                                   time ? COL_NS : COL_COUNT, 0);
        key[1] = '%';
        v->share[i] = table_column(v->t, key, title, "%", COL_PERCENT, COL_JOINED);
    }
    v->hits = table_column(v->t, "hits", "Hits", "", COL_COUNT, 0);
}

void
dataview_fill(const struct dataview *v, const struct values *values, u64 hits)
{
    for (u32 i = 0; i < v->counters; i++) {
        double whole = (double)v->data.total.v[v->metric[i]];
        int64_t value = values->v[v->metric[i]];

        table_number(v->t, v->value[i], (u64)value);
        table_real(v->t, v->share[i], whole > 0 ? 100 * (double)value / whole : 0);
    }
    table_number(v->t, v->hits, hits);
}

const char *
dataview_title(const struct dataview *v, const struct data_object *object)
{
    char *text = datatitle(v->sh->session, &object->thing);
    const char *title = arena_strdup(&v->t->arena, text ? text : "");

    free(text);
    return title;
}

const char *
dataview_kind(enum data_kind kind)
{
    static const char *const names[] = {
        [DATA_VARIABLE] = "variable",
        [DATA_BLOCK] = "heap block",
        [DATA_MAPPING] = "mapping",
        [DATA_FILE] = "mapped file",
        [DATA_STATIC] = "static data",
        [DATA_STACK] = "stack",
        [DATA_HEAP] = "heap",
        [DATA_ANONYMOUS] = "anonymous",
        [DATA_OTHER] = "other",
        [DATA_UNKNOWN] = "unknown",
    };

    return names[kind];
}
