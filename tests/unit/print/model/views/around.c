/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/views/view.h"
#include "tests/gen/stage.h"

static const struct order by_attr = { ORDER_METRIC, METRIC_totalcpu, FLAVOUR_ATTRIBUTED,
                                      false };

TestSuite(around, .init = stage_up, .fini = stage_down);

static u32
func(const char *name)
{
    u32 *ids, count, id;

    cr_assert_eq(function_find(stage, name, &ids, &count), 0);
    id = ids[0];
    free(ids);
    return id;
}

/* `name=ms` of each row, joined by blanks. */
static const char *
told(const struct rows *rows)
{
    static char text[2][500];
    static int which;
    char *out = text[which ^= 1];

    out[0] = 0;
    for (u32 i = 0; i < rows->count; i++)
        sprintf(out + strlen(out), "%s%s=%d", i ? " " : "",
                function_name(stage, rows->row[i].func),
                (int)(rows->row[i].attr.v[METRIC_totalcpu] / MS));
    return out;
}

Test(around, recursion_counts_once)
{
    struct around a;
    u32 f1 = func("f1");

    /* f0 f1 f1 g2: the outer f1 has the caller, the inner one the callee. */
    cr_assert_eq(view_around(stage, &f1, 1, &by_attr, &a), 0);
    cr_assert_str_eq(told(&a.callers), "f0=19");
    cr_assert_str_eq(told(&a.callees), "g2=14 f2=5");
    cr_assert_eq(a.self.attr.v[0], 0);
    cr_assert_eq(a.self.incl.v[0], 19 * MS);
    around_free(&a);
}

Test(around, roots_and_leaves)
{
    struct around a;
    u32 f0 = func("f0"), g2 = func("g2");

    cr_assert_eq(view_around(stage, &f0, 1, &by_attr, &a), 0);
    cr_assert_str_eq(told(&a.callers), "<Total>=24");
    cr_assert_str_eq(told(&a.callees), "f1=19 f5=5");
    around_free(&a);
    cr_assert_eq(view_around(stage, &g2, 1, &by_attr, &a), 0);
    cr_assert_str_eq(told(&a.callers), "f1=14");
    cr_assert_str_eq(told(&a.callees), "");
    cr_assert_eq(a.self.attr.v[0], 14 * MS);
    around_free(&a);
}

Test(around, total)
{
    struct around a;
    u32 total = FUNC_TOTAL;

    cr_assert_eq(view_around(stage, &total, 1, &by_attr, &a), 0);
    cr_assert_eq(a.callers.count, 0);
    cr_assert_eq(a.self.attr.v[0], 0);
    cr_assert_eq(a.self.incl.v[0], a.callees.total.incl.v[0]);
    cr_assert_not_null(strstr(told(&a.callees), "f0=24"));
    around_free(&a);
}

Test(around, fragment)
{
    struct around a;
    u32 twice[2] = { func("f1"), func("f1") }, never[2] = { func("f5"), func("f1") };

    cr_assert_eq(view_around(stage, twice, 2, &by_attr, &a), 0);
    cr_assert_str_eq(told(&a.callers), "f0=14");
    cr_assert_str_eq(told(&a.callees), "g2=14");
    around_free(&a);
    cr_assert_eq(view_around(stage, never, 2, &by_attr, &a), 0);
    cr_assert_eq(a.callers.count + a.callees.count, 0);
    cr_assert_eq(a.self.incl.v[0], 0);
    around_free(&a);
}

Test(around, inlined_calls_are_calls)
{
    struct around a;
    u32 f = func("inlined_5");

    cr_assert_eq(view_around(stage, &f, 1, &by_attr, &a), 0);
    cr_assert_str_eq(told(&a.callers), "f5=5");
    around_free(&a);
}

Test(around, what_cannot_be)
{
    struct around a;
    u32 f = 1000000;

    cr_assert_eq(view_around(stage, &f, 1, &by_attr, &a), -EINVAL);
    cr_assert_eq(view_around(stage, &f, 0, &by_attr, &a), -EINVAL);
}
