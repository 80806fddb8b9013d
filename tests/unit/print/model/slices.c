/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "print/model/filter.h"
#include "print/model/view.h"
#include "tests/gen/stage.h"

static const struct order by_name = { ORDER_NAME, 0, FLAVOUR_EXCLUSIVE, false };

TestSuite(slices, .init = stage_up, .fini = stage_down);

Test(slices, threads)
{
    struct rows rows;

    cr_assert_eq(view_threads(stage, &by_name, &rows), 0);
    cr_assert_eq(rows.count, 3);
    cr_assert_eq(rows.row[0].index, UINT32_MAX); /* of no thread: the leftover 2 ms */
    cr_assert_eq(rows.row[0].excl.v[0], 2 * MS);
    cr_assert_eq(rows.row[1].index, 0);
    cr_assert_eq(rows.row[1].excl.v[0], (10 + 3 + 1 + 4 + 1) * MS);
    cr_assert_eq(rows.row[2].excl.v[0], (5 + 2 + 7 + 6) * MS - MS / 2);
    rows_free(&rows);
}

Test(slices, intervals_end_at_sample_points)
{
    struct rows rows;

    cr_assert_eq(view_intervals(stage, &rows), 0);
    cr_assert_eq(rows.count, 3);
    cr_assert_eq(rows.row[0].excl.v[0], 0);
    cr_assert_eq(rows.row[1].excl.v[0], (10 + 5 + 3 + 2) * MS); /* 1 to 4 ms */
    cr_assert_eq(rows.row[2].excl.v[0], (1 + 4 + 7 + 6) * MS);
    cr_assert_eq(rows.row[2].index, 2);
    rows_free(&rows);
}

static int64_t
filtered(const struct filter *filter)
{
    struct values total;

    cr_assert_eq(filter_set(stage, filter), 0);
    cr_assert_eq(view_total(stage, &total), 0);
    return total.v[METRIC_totalcpu];
}

Test(slices, filter_by_time)
{
    struct filter f = { .timed = true, .from = 2 * MS, .to = 4 * MS };
    int64_t all = filtered(NULL);

    cr_assert_eq(filtered(&f), (5 + 3) * MS); /* at 2 and 3 ms */
    f.to = UINT64_MAX;
    cr_assert_eq(filtered(&f), (5 + 3 + 2 + 1 + 4 + 7 + 6) * MS);
    f.to = f.from;
    cr_assert_eq(filtered(&f), 0);
    cr_assert_eq(filtered(NULL), all);
}

Test(slices, filter_by_thread)
{
    struct filter f = { .by_thread = true, .thread = 1 };

    cr_assert_eq(filtered(&f), (10 + 3 + 1 + 4 + 1) * MS);
    f.thread = 9;
    cr_assert_eq(filtered(&f), 0);
    f.thread = 1;
    f.experiment = 1;
    cr_assert_eq(filtered(&f), 0);
}
