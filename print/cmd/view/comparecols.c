/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "print/cmd/comparison.h"

static const struct values *
values_of(const struct entry *e, const struct mspec_item *it)
{
    return it->flavour == FLAVOUR_EXCLUSIVE    ? e->excl
           : it->flavour == FLAVOUR_ATTRIBUTED ? e->attr
                                               : e->incl;
}

static int64_t
value_of(const struct entry *e, u32 group, const struct mspec_item *it)
{
    return metric_value(&values_of(e, it)[group], it->metric);
}

/* |a - b|; 0 where one of them is not known. */
static int64_t
distance(int64_t a, int64_t b)
{
    u64 d = a < b ? (u64)b - (u64)a : (u64)a - (u64)b;

    if (a == METRIC_UNKNOWN || b == METRIC_UNKNOWN)
        return 0;
    return d < INT64_MAX ? (int64_t)d : INT64_MAX;
}

int64_t
comparison_rank(const struct comparison *c, const struct entry *e)
{
    struct mspec_item it = { .metric = c->order.metric, .flavour = c->order.flavour };
    int64_t most = 0, first = value_of(e, 0, &it);

    for (u32 g = 0; g < c->ngroups; g++) {
        int64_t v = value_of(e, g, &it);

        if (c->sh->compare != COMPARE_ON)
            v = distance(v, first);
        most = v > most ? v : most;
    }
    return most;
}

static void
fill_ratio(const struct comparison *c, struct table *t, u32 column, u32 group,
           int64_t first, int64_t v)
{
    bool plain = c->sh->compare == COMPARE_ON || group == 0;

    if (v == METRIC_UNKNOWN || (!plain && first == METRIC_UNKNOWN))
        return;
    if (plain)
        table_real(t, column, (double)v / 1e6);
    else if (c->sh->compare == COMPARE_DELTA)
        table_real(t, column, ((double)v - (double)first) / 1e6);
    else if (first)
        table_real(t, column, (double)v / (double)first);
}

static void
fill_difference(const struct comparison *c, struct table *t, u32 column, u32 group,
                const struct entry *e, const struct mspec_item *it)
{
    int64_t first = value_of(e, 0, it), v = value_of(e, group, it);

    if (metric_is_ratio(it->metric)) {
        fill_ratio(c, t, column, group, first, v);
        return;
    }
    if (c->sh->compare == COMPARE_ON || group == 0)
        table_number(t, column, (u64)v);
    else if (c->sh->compare == COMPARE_DELTA)
        table_number(t, column, (u64)v - (u64)first);
    else if (first)
        table_real(t, column, (double)v / (double)first);
}

static void
fill_share(const struct comparison *c, struct table *t, u32 column, u32 group,
           const struct entry *e, const struct mspec_item *it)
{
    double share[2] = { 0 };

    for (u32 i = 0; i < 2; i++) {
        u32 g = i ? group : 0;
        double whole = (double)metric_value(&c->whole[g], it->metric);

        share[i] = whole != 0 ? 100 * (double)value_of(e, g, it) / whole : 0;
    }
    if (c->sh->compare == COMPARE_ON || group == 0)
        table_real(t, column, share[1]);
    else if (c->sh->compare == COMPARE_DELTA)
        table_real(t, column, share[1] - share[0]);
    else if (share[0] != 0)
        table_real(t, column, share[1] / share[0]);
}

static enum column_type
type_of(const struct comparison *c, const struct mspec_item *it, u32 group)
{
    if (c->sh->compare == COMPARE_RATIO && group)
        return COL_REAL;
    if (it->visibility == '%')
        return COL_PERCENT;
    if (metric_is_ratio(it->metric))
        return COL_REAL;
    return metrics[it->metric].unit == METRIC_NS ? COL_NS : COL_COUNT;
}

static const char *
unit_of(const struct comparison *c, const struct mspec_item *it, u32 group)
{
    if (c->sh->compare == COMPARE_RATIO && group)
        return "ratio";
    if (it->visibility == '%')
        return "%";
    return metrics[it->metric].unit == METRIC_NS      ? "sec."
           : metrics[it->metric].unit == METRIC_BYTES ? "byte"
                                                      : "";
}

/* Add columns for the sampling error, and for whether the difference is within it. */
static void
add_noise(const struct comparison *c, struct comparison_columns *cols,
          struct comparison_column shown)
{
    char key[64];

    if (!noise_concerns(shown.item.metric) || shown.item.visibility == '%' ||
        c->sh->compare == COMPARE_ON || shown.group == 0)
        return;
    shown.noise = true;
    snprintf(key, sizeof(key), "noise.%c%s.%u", "eia"[shown.item.flavour],
             metrics[shown.item.metric].name, shown.group + 1);
    shown.column = table_column(cols->t, key, "\n+/-\n95 %", "sec.", COL_NS, 0);
    snprintf(key, sizeof(key), "within.%c%s.%u", "eia"[shown.item.flavour],
             metrics[shown.item.metric].name, shown.group + 1);
    shown.mark = table_column(cols->t, key, "\n\n", "", COL_TEXT, 0);
    cols->shown = mem_grow(cols->shown, cols->count, sizeof(shown));
    cols->shown[cols->count++] = shown;
}

static void
add_item(const struct comparison *c, struct comparison_columns *cols,
         const struct mspec_item *it)
{
    static const char *const words[] = { "Excl.", "Incl.", "Attr." };
    static const char *const forms[] = { "", "", "delta ", "ratio " };

    for (u32 g = 0; g < c->ngroups; g++) {
        struct comparison_column shown = { .item = *it, .group = g };
        char key[64], title[128];

        snprintf(key, sizeof(key), "%c%c%s.%u", "eia"[it->flavour], it->visibility,
                 metrics[it->metric].name, g + 1);
        snprintf(title, sizeof(title), "%s\n%s\n%s%u",
                 words[it->flavour], metrics[it->metric].title,
                 g ? forms[c->sh->compare] : "", g + 1);
        shown.column = table_column(cols->t, key, title, unit_of(c, it, g),
                                    type_of(c, it, g), 0);
        cols->shown = mem_grow(cols->shown, cols->count, sizeof(shown));
        cols->shown[cols->count++] = shown;
        add_noise(c, cols, shown);
    }
}

/*
 * Fill in the sampling error. <Total>, <startup> etc. have none: they come from the
 * kernel's account.
 */
static void
fill_noise(const struct comparison *c, const struct comparison_columns *cols,
           const struct comparison_column *shown, const struct entry *e)
{
    const struct values *v = values_of(e, &shown->item);
    double variance = noise_variance(&c->noise[0], &v[0], shown->item.metric) +
                      noise_variance(&c->noise[shown->group], &v[shown->group],
                                     shown->item.metric);
    double width = 1.96 * sqrt(variance);
    double difference = (double)(v[shown->group].v[shown->item.metric] -
                                 v[0].v[shown->item.metric]);

    if (!e->sampled)
        return;
    table_number(cols->t, shown->column, (u64)(width + 0.5));
    if (fabs(difference) <= width)
        table_text(cols->t, shown->mark, "~");
}

void
comparison_columns(const struct comparison *c, struct comparison_columns *cols,
                   struct table *t, enum mcols_view view)
{
    struct mspec spec;

    *cols = (struct comparison_columns){ .t = t };
    mcols_shown(c->sh, view, &spec);
    for (u32 i = 0; i < spec.n; i++)
        if (spec.item[i].kind == MSPEC_METRIC && metric_is_there(spec.item[i].metric))
            add_item(c, cols, &spec.item[i]);
}

void
comparison_columns_free(struct comparison_columns *cols)
{
    free(cols->shown);
}

void
comparison_fill(const struct comparison *c, const struct comparison_columns *cols,
                const struct entry *e)
{
    for (u32 i = 0; i < cols->count; i++) {
        const struct comparison_column *shown = &cols->shown[i];

        if (shown->noise)
            fill_noise(c, cols, shown, e);
        else
            (shown->item.visibility == '%' ? fill_share : fill_difference)(
                c, cols->t, shown->column, shown->group, e, &shown->item);
    }
}
