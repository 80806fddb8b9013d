/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/order.h"

#include <stdlib.h>
#include <string.h>

#include "print/model/symbols/function.h"

/* What qsort_r() passes to compare(). */
struct context {
    struct session *session;
    const struct order *order;
};

/* The value by which an order sorts. */
static int64_t
value_of(const struct order *order, const struct row *row)
{
    const struct values *of[FLAVOUR_COUNT] = { &row->excl, &row->incl, &row->attr };

    return metric_value(of[order->flavour], order->metric);
}

static int
compare_u64(u64 a, u64 b)
{
    return a < b ? -1 : a > b;
}

static int
compare_names(struct session *session, const struct row *a, const struct row *b)
{
    struct object_info x, y;

    if (a->func != b->func)
        return strcmp(function_name(session, a->func), function_name(session, b->func));
    if (a->object == b->object || a->func)
        return 0;
    object_get(session, a->object, &x);
    object_get(session, b->object, &y);
    return strcmp(x.name, y.name);
}

/*
 * Compare rows that the order leaves equal, so that they always come in the same order:
 * by what does not depend on how the experiment was read.
 */
static int
compare_rest(struct session *session, const struct row *a, const struct row *b)
{
    int c = compare_names(session, a, b);

    if (!c && a->file != b->file)
        c = strcmp(file_path(session, a->file), file_path(session, b->file));
    if (!c)
        c = compare_u64(a->line, b->line);
    if (!c)
        c = compare_u64(a->addr, b->addr);
    if (!c)
        c = compare_u64(a->object, b->object);
    if (!c)
        c = compare_u64(a->experiment, b->experiment);
    /* + 1 becomes 0 for UINT32_MAX, which means no thread: so it comes first. */
    if (!c)
        c = compare_u64((u32)(a->index + 1), (u32)(b->index + 1));
    return c ? c : compare_u64(a->func, b->func);
}

static int
compare(const void *left, const void *right, void *data)
{
    const struct row *a = left, *b = right;
    struct context *context = data;
    const struct order *order = context->order;
    int c = 0;

    switch (order->by) {
    case ORDER_METRIC:
        c = -(value_of(order, a) < value_of(order, b)
                  ? -1 : value_of(order, a) > value_of(order, b));
        break;
    case ORDER_NAME:
        c = compare_names(context->session, a, b);
        break;
    case ORDER_ADDRESS:
        c = compare_u64(a->object, b->object);
        c = c ? c : compare_u64(a->addr, b->addr);
        break;
    case ORDER_SIZE:
        c = -compare_u64(a->size, b->size);
        break;
    }
    if (order->reverse)
        c = -c;
    return c ? c : compare_rest(context->session, a, b);
}

void
order_rows(struct session *session, const struct order *order, struct row *row,
           u32 count)
{
    struct context context = { session, order };

    if (count > 1)
        qsort_r(row, count, sizeof(*row), compare, &context);
}
