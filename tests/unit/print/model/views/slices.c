/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "print/model/filter/filter.h"
#include "print/model/views/view.h"
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
    cr_assert_eq(rows.row[2].excl.v[0], (5 + 2 + 7 + 6) * MS + MS / 2);
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
filtered(const char *filter)
{
    struct filter_error error;
    struct values total;

    cr_assert_eq(filter_set(stage, FILTER_EXPRESSION, filter, &error), 0);
    cr_assert_eq(view_total(stage, &total), 0);
    return total.v[METRIC_totalcpu];
}

Test(slices, filter_by_time)
{
    int64_t all = filtered(NULL);

    cr_assert_eq(filtered("TSTAMP >= 2ms && TSTAMP < 4ms"), (5 + 3) * MS);
    cr_assert_eq(filtered("TSTAMP > 1999999 && 4ms > TSTAMP"), (5 + 3) * MS);
    cr_assert_eq(filtered("TSTAMP == 2ms || TSTAMP == 3000000"), (5 + 3) * MS);
    cr_assert_eq(filtered("TSTAMP >= 2ms"), (5 + 3 + 2 + 1 + 4 + 7 + 6) * MS);
    cr_assert_eq(filtered("2ms <= TSTAMP && !(TSTAMP > 3ms)"), (5 + 3) * MS);
    cr_assert_eq(filtered("TSTAMP < 0"), 0);
    cr_assert_eq(filtered("TSTAMP > 1000s"), 0);
    cr_assert_eq(filtered("SAMPLE == 2"), (10 + 5 + 3 + 2) * MS);
    cr_assert_eq(filtered("SAMPLE == 3"), (1 + 4 + 7 + 6) * MS);
    cr_assert_eq(filtered(NULL), all);
}

Test(slices, filter_by_thread)
{
    cr_assert_eq(filtered("THRID == 1"), (10 + 3 + 1 + 4 + 1) * MS);
    cr_assert_eq(filtered("THRID == 9"), 0);
    cr_assert_eq(filtered("THRID == 1 && EXPID == 1"), (10 + 3 + 1 + 4 + 1) * MS);
    cr_assert_eq(filtered("THRID == 1 && EXPID == 2"), 0);
    cr_assert_eq(filtered("THRID IN (3, 2)"), (5 + 2 + 7 + 6) * MS + MS / 2);
}

Test(slices, intervals_pass_the_filter)
{
    struct rows rows;

    filtered("MSTATE == 1");
    cr_assert_eq(view_intervals(stage, &rows), 0);
    cr_assert_eq(rows.row[1].excl.v[0], 3 * MS);
    cr_assert_eq(rows.row[2].excl.v[0], 0);
    rows_free(&rows);
}
