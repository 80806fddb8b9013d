/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the tables by thread and by interval. Their values are sums of events by thread
 * or time, and not of stacks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/views/order.h"
#include "print/model/pass/tally.h"
#include "print/model/views/view.h"

struct builder {
    struct rows rows;
    u32 room;
};

static int
append(struct builder *b, const struct row *row)
{
    if (array_room(&b->rows.row, &b->room, b->rows.count + 1, sizeof(*row)) < 0)
        return -ENOMEM;
    b->rows.row[b->rows.count++] = *row;
    values_add(&b->rows.total.excl, &row->excl);
    b->rows.total.incl = b->rows.total.attr = b->rows.total.excl;
    return 0;
}

static int
thread_rows(struct session *session, u32 experiment, struct builder *b)
{
    const struct tally_threads *threads = &session->tally->threads[experiment];

    for (u32 i = 0; i < threads->count; i++) {
        struct row row = { .experiment = experiment, .index = i - 1 };

        row.excl = row.incl = row.attr = threads->value[i];
        if (values_any(&row.excl) && append(b, &row) < 0)
            return -ENOMEM;
    }
    return 0;
}

int
view_threads(struct session *session, const struct order *order, struct rows *out)
{
    struct builder b = { 0 };
    int ret = tally_make(session);

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = thread_rows(session, i, &b);
    if (ret < 0) {
        rows_free(&b.rows);
        return ret;
    }
    order_rows(session, order, b.rows.row, b.rows.count);
    *out = b.rows;
    return 0;
}

static int
interval_rows(struct session *session, u32 experiment, struct builder *b)
{
    struct experiment *e = session->experiment[experiment];
    u32 count = e->samples.count;
    u64 *bound = calloc((size_t)count + 1, sizeof(*bound));
    struct values *values = calloc((size_t)count + 1, sizeof(*values));
    int ret = bound && values ? 0 : -ENOMEM;

    for (u32 i = 0; i < count && ret == 0; i++)
        bound[i + 1] = e->samples.row[i].mono;
    if (ret == 0) {
        bound[0] = e->start_mono;
        if (count && bound[1] < bound[0])
            bound[0] = bound[1];
        ret = tally_intervals(session, experiment, bound, count + 1, values);
    }
    for (u32 i = 0; i < count && ret == 0; i++) {
        struct row row = { .experiment = experiment, .index = i };

        row.excl = row.incl = row.attr = values[i];
        ret = append(b, &row);
    }
    free(bound);
    free(values);
    return ret;
}

int
view_intervals(struct session *session, struct rows *out)
{
    struct builder b = { 0 };
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++) {
        ret = experiment_samples(session->experiment[i]);
        if (ret == 0)
            ret = interval_rows(session, i, &b);
    }
    if (ret < 0) {
        rows_free(&b.rows);
        return ret;
    }
    *out = b.rows;
    return 0;
}
