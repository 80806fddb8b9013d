/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/hide.h"

#include <criterion/criterion.h>
#include <string.h>

#include "print/model/views/calltree.h"
#include "tests/gen/stage.h"

TestSuite(hide, .init = stage_up, .fini = stage_down);

static const struct order by_name = { ORDER_NAME, 0, FLAVOUR_EXCLUSIVE, false };
static struct rows rows;

static void
list(void)
{
    int64_t sum = 0;

    cr_assert_eq(view_functions(stage, &by_name, &rows), 0);
    for (u32 i = 0; i < rows.count; i++)
        sum += rows.row[i].excl.v[METRIC_totalcpu];
    cr_assert_eq(sum, rows.total.excl.v[METRIC_totalcpu], "nothing gets lost");
}

/* In ms; -1 where there is no such function. */
static int64_t
ms(const char *name, bool inclusive)
{
    for (u32 i = 0; i < rows.count; i++)
        if (!strcmp(function_name(stage, rows.row[i].func), name))
            return (inclusive ? &rows.row[i].incl : &rows.row[i].excl)
                       ->v[METRIC_totalcpu] / MS;
    return -1;
}

static u32
object(const char *name)
{
    struct object_info o;

    for (u32 i = 1; i < object_count(stage); i++) {
        object_get(stage, i, &o);
        if (!strcmp(o.name, name))
            return i;
    }
    cr_assert_fail("there is no %s", name);
    return 0;
}

Test(hide, an_object_is_one_function)
{
    hide_set_mode(stage, object("app"), OBJECT_HIDE);
    list();
    cr_assert_eq(ms("f0", true), -1);
    cr_assert_eq(ms("<app>", true), 10 + 5 + 3 + 2 + 1 + 4);
    cr_assert_eq(ms("<app>", false), 5 + 3 + 2 + 1);
    cr_assert_eq(ms("g2", false), 10 + 4);
    rows_free(&rows);
    hide_set_mode(stage, object("app"), OBJECT_SHOW);
    list();
    cr_assert_eq(ms("f0", true), 10 + 5 + 3 + 2 + 4);
    cr_assert_eq(ms("<app>", true), -1);
    rows_free(&rows);
}

Test(hide, an_api_is_what_others_call)
{
    hide_set_mode(stage, object("app"), OBJECT_API);
    list();
    cr_assert_eq(ms("f0", true), 10 + 5 + 3 + 2 + 4);
    cr_assert_eq(ms("f0", false), 5 + 3 + 2);
    cr_assert_eq(ms("f1", true), -1);
    cr_assert_eq(ms("f3", false), 1);
    cr_assert_eq(ms("g2", false), 10 + 4);
    rows_free(&rows);
}

Test(hide, the_tree_has_no_hidden_levels)
{
    struct calltree tree;
    u32 deepest = 0;

    hide_set_mode(stage, object("app"), OBJECT_HIDE);
    cr_assert_eq(calltree_build(stage, &by_name, &tree), 0);
    for (u32 i = 0; i < tree.count; i++)
        deepest = tree.node[i].depth > deepest ? tree.node[i].depth : deepest;
    cr_assert_eq(deepest, 2, "<Total>, <app>, g2");
    calltree_free(&tree);
}

Test(hide, the_machine_knows_no_inlined_calls)
{
    stage->machine = true;
    list();
    cr_assert_eq(ms("inlined_5", true), -1);
    cr_assert_eq(ms("f5", false), 5);
    rows_free(&rows);
    stage->machine = false;
    list();
    cr_assert_eq(ms("inlined_5", false), 5);
    rows_free(&rows);
}
