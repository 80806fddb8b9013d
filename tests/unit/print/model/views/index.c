/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/index.h"

#include <criterion/criterion.h>
#include <errno.h>

#include "print/model/views/view.h"
#include "tests/gen/stage.h"

TestSuite(index, .init = stage_up, .fini = stage_down);

static struct index_rows rows;

static void
build(const char *first, const char *second, enum index_form form)
{
    struct index_def def = { { first, second }, form, false };
    struct filter_error error;
    struct values total;

    cr_assert_eq(index_build(stage, &def, &rows, &error), 0);
    cr_assert_eq(view_total(stage, &total), 0);
    cr_assert_eq(rows.total.v[METRIC_totalcpu], total.v[METRIC_totalcpu]);
    cr_assert_eq(rows.total.v[METRIC_system], total.v[METRIC_system]);
}

static int64_t
cpu_of(int64_t first, int64_t second)
{
    for (u32 i = 0; i < rows.count; i++)
        if (rows.row[i].key.known && rows.row[i].key.v[0] == first &&
            rows.row[i].key.v[1] == second)
            return rows.row[i].value.v[METRIC_totalcpu];
    return -1;
}

Test(index, threads_as_the_list_of_threads_has_them)
{
    build("EXPID", "THRID", INDEX_PLAIN);
    cr_assert_eq(rows.count, 3);
    cr_assert_not(rows.row[0].key.known, "what is of no thread comes first");
    cr_assert_eq(rows.row[0].value.v[METRIC_totalcpu], 2 * MS);
    cr_assert_eq(cpu_of(1, 1), (10 + 3 + 1 + 4 + 1) * MS);
    cr_assert_eq(cpu_of(1, 2), (5 + 2 + 7 + 6) * MS + MS / 2);
    index_free(&rows);
}

Test(index, what_has_a_key_without_a_record)
{
    build("EXPID", NULL, INDEX_PLAIN);
    cr_assert_eq(rows.count, 1, "all is of an experiment, also what no record tells");
    index_free(&rows);
}

Test(index, time_and_powers)
{
    build("TSTAMP / 2ms", NULL, INDEX_PLAIN);
    cr_assert_eq(cpu_of(0, 0), 10 * MS); /* at 1 ms */
    cr_assert_eq(cpu_of(1, 0), (5 + 3) * MS);
    cr_assert_eq(cpu_of(3, 0), (4 + 7) * MS);
    index_free(&rows);
    build("TSTAMP / 1ms", NULL, INDEX_POWER);
    cr_assert_eq(cpu_of(1, 0), 10 * MS);
    cr_assert_eq(cpu_of(2, 0), (5 + 3) * MS);
    cr_assert_eq(cpu_of(4, 0), (2 + 1 + 4 + 7) * MS);
    cr_assert_eq(cpu_of(8, 0), 6 * MS);
    index_free(&rows);
}

Test(index, functions_may_be_asked_for)
{
    build("FNAME(\"g2\") SOME IN STACK", NULL, INDEX_PLAIN);
    cr_assert_eq(rows.count, 2);
    cr_assert_eq(cpu_of(1, 0), (10 + 4) * MS);
    index_free(&rows);
}

Test(index, filters_hold)
{
    struct filter_error error;

    cr_assert_eq(filter_set(stage, FILTER_EXPRESSION, "MSTATE == 1", &error), 0);
    build("THRID", NULL, INDEX_PLAIN);
    cr_assert_eq(rows.count, 1);
    cr_assert_eq(cpu_of(1, 0), 3 * MS);
    index_free(&rows);
}

Test(index, order)
{
    struct order order = { ORDER_METRIC, METRIC_totalcpu, FLAVOUR_EXCLUSIVE, false };

    build("EXPID", "THRID", INDEX_PLAIN);
    index_sort(&rows, &order);
    cr_assert_eq(rows.row[0].key.v[1], 2);
    order.reverse = true;
    index_sort(&rows, &order);
    cr_assert_eq(rows.row[2].key.v[1], 2);
    order.by = ORDER_NAME;
    index_sort(&rows, &order);
    cr_assert_eq(rows.row[0].key.v[1], 2);
    index_free(&rows);
}

Test(index, mistakes)
{
    struct index_def def = { { "1 +" }, INDEX_PLAIN, false };
    struct filter_error error;

    cr_assert_eq(index_build(stage, &def, &rows, &error), -EINVAL);
    cr_assert_eq(error.column, 4);
}
