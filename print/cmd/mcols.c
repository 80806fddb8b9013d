/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mcols.h"

static const char *const flavour_short[FLAVOUR_COUNT] = {
    [FLAVOUR_EXCLUSIVE] = "Excl.",
    [FLAVOUR_INCLUSIVE] = "Incl.",
    [FLAVOUR_ATTRIBUTED] = "Attr.",
};

static const char *const flavour_long[FLAVOUR_COUNT] = {
    [FLAVOUR_EXCLUSIVE] = "Exclusive",
    [FLAVOUR_INCLUSIVE] = "Inclusive",
    [FLAVOUR_ATTRIBUTED] = "Attributed",
};

static bool
has_attributed(const struct mspec *spec)
{
    for (u32 i = 0; i < spec->n; i++)
        if (spec->item[i].kind == MSPEC_METRIC &&
            spec->item[i].flavour == FLAVOUR_ATTRIBUTED)
            return true;
    return false;
}

static bool
has_column(const struct mcols *m, const struct mspec_item *it)
{
    for (u32 i = 0; i < m->n; i++)
        if (m->col[i].item.metric == it->metric &&
            m->col[i].item.flavour == it->flavour &&
            m->col[i].item.visibility == it->visibility)
            return true;
    return false;
}

/*
 * Does the view have a column for this item? May replace the item by one that the view
 * has.
 */
static bool
suits(const struct mcols *m, struct mspec_item *it)
{
    if (it->visibility == '!')
        return false;
    if (it->kind != MSPEC_METRIC)
        return m->view == MCOLS_FUNCTIONS;
    if (m->view == MCOLS_CALLS && !has_attributed(m->spec))
        it->flavour = FLAVOUR_ATTRIBUTED;
    if (m->view != MCOLS_CALLS && it->flavour == FLAVOUR_ATTRIBUTED)
        return false;
    return !has_column(m, it);
}

static u32
add_static(struct mcols *m, enum mspec_kind kind)
{
    if (kind == MSPEC_SIZE)
        return table_column(m->table, "size", "Size", "byte", COL_COUNT, 0);
    return table_column(m->table, "address", "Address", "", COL_ADDRESS, 0);
}

static u32
add_metric(struct mcols *m, const struct mspec_item *it)
{
    const struct metric_desc *d = &metrics[it->metric];
    const struct mspec_item *prev = m->n ? &m->col[m->n - 1].item : NULL;
    char key[64], title[80];
    unsigned flags = 0;

    snprintf(key, sizeof(key), "%c%c%s", "eia"[it->flavour], it->visibility, d->name);
    snprintf(title, sizeof(title), "%s\n%s", flavour_short[it->flavour], d->title);
    if (prev && prev->kind == MSPEC_METRIC && prev->metric == it->metric &&
        prev->flavour == it->flavour &&
        m->col[m->n - 1].column + 1 == m->table->ncolumns)
        flags = COL_JOINED;
    if (it->visibility == '%')
        return table_column(m->table, key, title, "%", COL_PERCENT, flags);
    if (d->unit == METRIC_NS)
        return table_column(m->table, key, title, "sec.", COL_NS, flags);
    if (d->unit == METRIC_RATIO)
        return table_column(m->table, key, title, "", COL_REAL, flags);
    return table_column(m->table, key, title, d->unit == METRIC_BYTES ? "byte" : "",
                        COL_COUNT, flags);
}

/* Make items into columns, up to `name` or the end. */
static void
add_columns(struct mcols *m)
{
    for (; m->next < m->spec->n; m->next++) {
        struct mspec_item it = m->spec->item[m->next];

        if (it.kind == MSPEC_NAME)
            break;
        if (!suits(m, &it))
            continue;
        m->col[m->n].column =
            it.kind == MSPEC_METRIC ? add_metric(m, &it) : add_static(m, it.kind);
        m->col[m->n++].item = it;
    }
    m->next++;
}

/*
 * Add a column of bars, for a metric before the name that is not a ratio: the one by
 * which rows are sorted, or else the first one.
 */
static void
add_bar(struct mcols *m, const struct order *sort)
{
    enum flavour flavour =
        m->view == MCOLS_CALLS ? FLAVOUR_ATTRIBUTED : sort->flavour;

    for (u32 i = m->n; i > 0; i--) {
        const struct mspec_item *it = &m->col[i - 1].item;

        if (it->kind == MSPEC_METRIC && !metric_is_ratio(it->metric))
            m->drawn = i - 1;
    }
    for (u32 i = 0; i < m->n && sort->by == ORDER_METRIC; i++) {
        const struct mspec_item *it = &m->col[i].item;

        if (it->kind == MSPEC_METRIC && it->metric == sort->metric &&
            it->flavour == flavour && !metric_is_ratio(it->metric))
            m->drawn = i;
    }
    if (m->drawn < MSPEC_MAX)
        m->bar = table_column(m->table, "bar", "", "", COL_BAR, COL_TEXT_ONLY);
}

void
mcols_before(struct mcols *m, const struct shell *sh, struct table *t,
             enum mcols_view view)
{
    *m = (struct mcols){
        .table = t, .spec = &sh->metrics, .view = view, .drawn = MSPEC_MAX
    };
    add_columns(m);
    add_bar(m, &sh->sort);
}

void
mcols_after(struct mcols *m)
{
    add_columns(m);
}

void
mcols_shown(const struct shell *sh, enum mcols_view view, struct mspec *out)
{
    struct mcols m = { .spec = &sh->metrics, .view = view };

    out->n = 0;
    for (u32 i = 0; i < m.spec->n; i++) {
        struct mspec_item it = m.spec->item[i];

        /*
         * Attributed items have no column for functions, but they are part of the
         * setting: so `metrics` shows them.
         */
        if (it.kind == MSPEC_NAME || view == MCOLS_FUNCTIONS || suits(&m, &it))
            mspec_add(out, it);
    }
}

static void
fill_ratio(const struct mcols *m, u32 i, const struct values *values)
{
    int64_t value = metric_ratio(values, m->col[i].item.metric);

    if (value != METRIC_UNKNOWN)
        table_real(m->table, m->col[i].column, (double)value / 1e6);
}

static void
fill_metric(const struct mcols *m, u32 i, const struct mcols_values *values)
{
    const struct mspec_item *it = &m->col[i].item;
    const struct values *v = it->flavour == FLAVOUR_EXCLUSIVE   ? values->excl
                             : it->flavour == FLAVOUR_INCLUSIVE ? values->incl
                                                                : values->attr;
    double whole, share;

    if (!v)
        return;
    if (metric_is_ratio(it->metric)) {
        fill_ratio(m, i, v);
        return;
    }
    whole = (double)values->whole->v[it->metric];
    share = whole != 0 ? (double)v->v[it->metric] / whole : 0;
    if (it->visibility == '%')
        table_real(m->table, m->col[i].column, 100 * share);
    else
        table_number(m->table, m->col[i].column, (u64)v->v[it->metric]);
    if (i == m->drawn)
        table_real(m->table, m->bar, share);
}

void
mcols_fill(const struct mcols *m, const struct mcols_values *values)
{
    for (u32 i = 0; i < m->n; i++) {
        if (m->col[i].item.kind == MSPEC_METRIC)
            fill_metric(m, i, values);
        else if (m->col[i].item.kind == MSPEC_SIZE && values->size)
            table_number(m->table, m->col[i].column, values->size);
        else if (m->col[i].item.kind == MSPEC_ADDRESS && values->address)
            table_number(m->table, m->col[i].column, values->address);
    }
}

const char *
mcols_order_name(const struct order *order, char *buf, size_t size)
{
    static const char *const by[] = {
        [ORDER_NAME] = "name",
        [ORDER_ADDRESS] = "address",
        [ORDER_SIZE] = "size",
    };
    const char *turned = order->reverse ? ", reversed" : "";

    if (order->by == ORDER_METRIC)
        snprintf(buf, size, "%s %s%s", flavour_long[order->flavour],
                 metrics[order->metric].title, turned);
    else
        snprintf(buf, size, "%s%s", by[order->by], turned);
    return buf;
}
