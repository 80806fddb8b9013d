/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/totals.h"

#include <stdio.h>
#include <string.h>

static u32
find(const struct totals *totals, const char *name)
{
    u32 i = 0;

    while (i < totals->count && strcmp(totals->name[i], name) != 0)
        i++;
    return i;
}

static u32
column(struct table *t, const char *name, const char *key, const char *title,
       const char *unit, enum column_type type)
{
    char full_key[128], full_title[128];

    snprintf(full_key, sizeof(full_key), "%.80s_%s", name, key);
    snprintf(full_title, sizeof(full_title), "%.80s, %s", name, title);
    return table_column(t, full_key, full_title, unit, type, 0);
}

void
totals_columns(struct totals *totals, struct table *t, const struct session *session,
               bool with_hits)
{
    *totals = (struct totals){ .t = t };
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct counters *c = &session->experiment[i]->counters;

        for (u32 k = 0; k < c->count; k++) {
            u32 at = totals->count;

            if (!c->row[k].name || at == TOTALS_MAX ||
                find(totals, c->row[k].name) < at)
                continue;
            totals->name[at] = c->row[k].name;
            totals->counted[at] = column(t, c->row[k].name, "counted", "counted", "",
                                         COL_COUNT);
            if (with_hits)
                totals->hits[at] =
                    column(t, c->row[k].name, "hits", "by its hits", "",
                           COL_COUNT);
            totals->share[at] = column(t, c->row[k].name, "share",
                                       "of the time that it counted", "%", COL_REAL);
            totals->count++;
        }
    }
}

int
totals_fill(const struct totals *totals, struct experiment *e, const u64 *hits)
{
    int ret = experiment_totals(e);

    if (ret < 0)
        return ret;
    for (u32 k = 0; k < e->counters.count; k++) {
        const struct counter_row *c = &e->counters.row[k];
        u32 at = c->name ? find(totals, c->name) : totals->count;

        if (at == totals->count)
            continue;
        if (c->has_total)
            table_number(totals->t, totals->counted[at], counters_scaled(c, c->total));
        if (hits && c->interval)
            table_number(totals->t, totals->hits[at], counters_scaled(c, hits[k]));
        if (counters_share(c) < 1)
            table_real(totals->t, totals->share[at], 100 * counters_share(c));
    }
    return 0;
}
