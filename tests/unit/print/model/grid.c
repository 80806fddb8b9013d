/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/grid.h"

#include <criterion/criterion.h>

static struct values
one(enum metric metric, int64_t value)
{
    struct values values = { { 0 } };

    values.v[metric] = value;
    return values;
}

Test(grid, columns_come_when_a_row_takes_them)
{
    struct values user = one(METRIC_user, 7), leak = one(METRIC_heapleakcnt, 3), all;
    struct grid s;

    grid_open(&s);
    cr_assert_eq(grid_grow(&s, 10), 0);
    cr_assert_eq(grid_add(&s, 9, &user), 0);
    cr_assert_eq(s.width, 1);
    cr_assert_eq(grid_add(&s, 2, &leak), 0);
    cr_assert_eq(grid_add(&s, 9, &leak), 0);
    cr_assert_eq(s.width, 2);
    all = grid_get(&s, 9);
    cr_assert(all.v[METRIC_user] == 7 && all.v[METRIC_heapleakcnt] == 3);
    cr_assert_eq(grid_get(&s, 2).v[METRIC_user], 0);
    cr_assert(grid_any(&s, 2) && !grid_any(&s, 3));
    cr_assert_eq(grid_grow(&s, 1000), 0);
    cr_assert_eq(grid_get(&s, 9).v[METRIC_user], 7);
    cr_assert(!grid_any(&s, 999));
    grid_close(&s);
    grid_close(&s);
}

Test(grid, rows_of_the_same_columns_add_up)
{
    struct values user = one(METRIC_user, 5), all = one(METRIC_user, 1);
    struct grid s, t;

    grid_open(&s);
    cr_assert_eq(grid_grow(&s, 3), 0);
    cr_assert_eq(grid_add(&s, 1, &user), 0);
    cr_assert_eq(grid_open_like(&t, &s, 3), 0);
    cr_assert(!grid_any(&t, 1));
    grid_add_row(&t, 2, &s, 1);
    grid_add_row(&t, 2, &s, 1);
    grid_add_to(&t, 2, &all);
    cr_assert_eq(all.v[METRIC_user], 11);
    grid_close(&s);
    grid_close(&t);
}

Test(grid, none_at_all)
{
    struct grid s;

    grid_open(&s);
    cr_assert_eq(grid_grow(&s, 4), 0);
    cr_assert(!grid_any(&s, 3));
    grid_close(&s);
}
