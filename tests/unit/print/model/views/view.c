/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/view.h"
#include "print/model/session/sessions.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gen/stage.h"

static const struct order by_excl = { ORDER_METRIC, METRIC_totalcpu, FLAVOUR_EXCLUSIVE,
                                      false };

TestSuite(view, .init = stage_up, .fini = stage_down);

/* Total CPU of a function's row, in 1/2 ms. */
static int64_t
half_ms(const struct rows *rows, const char *name, enum flavour flavour)
{
    for (u32 i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        const struct values *of[] = { &row->excl, &row->incl, &row->attr };

        if (!strcmp(function_name(stage, row->func), name))
            return of[flavour]->v[METRIC_totalcpu] / (MS / 2);
    }
    return 0;
}

Test(view, functions)
{
    static const struct {
        const char *name;
        int excl, incl;
    } truth[] = {
        { "g2", 28, 28 },           { "inlined_5", 10, 10 },
        { "f2", 10, 10 },           { "f3", 2, 2 },
        { "f0", 0, 48 },            { "f1", 0, 38 },
        { "f5", 0, 10 },            { "<Truncated-stack>", 0, 2 },
        { "<Unknown>", 26, 26 },    { "<startup>", 2, 2 },
        { "<unattributed>", 4, 4 }, { "<exit>", 1, 1 },
    };
    struct rows rows;

    cr_assert_eq(view_functions(stage, &by_excl, &rows), 0);
    cr_assert_eq(rows.count, ER_COUNT(truth));
    for (u32 i = 0; i < ER_COUNT(truth); i++) {
        cr_assert_eq(half_ms(&rows, truth[i].name, FLAVOUR_EXCLUSIVE), truth[i].excl,
                     "%s", truth[i].name);
        cr_assert_eq(half_ms(&rows, truth[i].name, FLAVOUR_INCLUSIVE), truth[i].incl,
                     "%s", truth[i].name);
    }
    rows_free(&rows);
}

Test(view, total_is_the_kernels_account_less_pauses)
{
    const struct experiment *e = stage->experiment[0];
    struct values total;

    cr_assert_eq(view_total(stage, &total), 0);
    cr_assert_eq(total.v[METRIC_user], (int64_t)e->user - 9 * MS);
    cr_assert_eq(total.v[METRIC_system], 3 * MS);
    cr_assert_eq(total.v[METRIC_totalcpu],
                 total.v[METRIC_user] + total.v[METRIC_system]);
}

Test(view, order)
{
    struct order order = { ORDER_NAME, 0, FLAVOUR_EXCLUSIVE, false };
    struct rows rows;

    cr_assert_eq(view_functions(stage, &by_excl, &rows), 0);
    for (u32 i = 1; i < rows.count; i++)
        cr_assert(rows.row[i - 1].excl.v[0] >= rows.row[i].excl.v[0]);
    /* f2 and inlined_5 are equal: by name. */
    cr_assert_str_eq(function_name(stage, rows.row[2].func), "f2");
    cr_assert_str_eq(function_name(stage, rows.row[3].func), "inlined_5");
    rows_free(&rows);

    cr_assert_eq(view_functions(stage, &order, &rows), 0);
    for (u32 i = 1; i < rows.count; i++)
        cr_assert(strcmp(function_name(stage, rows.row[i - 1].func),
                         function_name(stage, rows.row[i].func)) < 0);
    rows_free(&rows);

    order = (struct order){ ORDER_METRIC, METRIC_system, FLAVOUR_INCLUSIVE, true };
    cr_assert_eq(view_functions(stage, &order, &rows), 0);
    cr_assert_eq(rows.row[0].incl.v[METRIC_system], 0);
    cr_assert_eq(rows.row[rows.count - 1].incl.v[METRIC_system], 3 * MS);
    rows_free(&rows);

    order = (struct order){ ORDER_SIZE, 0, 0, false };
    cr_assert_eq(view_functions(stage, &order, &rows), 0);
    cr_assert_eq(rows.row[0].size, GEN_FUNC_BYTES);
    cr_assert_eq(rows.row[rows.count - 1].size, 0);
    rows_free(&rows);
}

Test(view, lines)
{
    struct rows rows;
    bool call = false, leaf = false;

    cr_assert_eq(view_lines(stage, &by_excl, &rows), 0);
    for (u32 i = 0; i < rows.count; i++) {
        const struct row *row = &rows.row[i];
        const char *name = function_name(stage, row->func);

        /* f5 calls inlined_5 at its line 5, which stands at line 9. */
        if (!strcmp(name, "f5")) {
            cr_assert_eq(row->line, 55);
            cr_assert_eq(row->incl.v[0], 5 * MS);
            cr_assert_eq(row->excl.v[0], 0);
            cr_assert_str_eq(file_path(stage, row->file), "/gen/app.c");
            call = true;
        }
        if (!strcmp(name, "inlined_5")) {
            cr_assert_eq(row->line, 59);
            cr_assert_eq(row->excl.v[0], 5 * MS);
            leaf = true;
        }
    }
    cr_assert(call && leaf);
    rows_free(&rows);
}

Test(view, pcs_are_instructions)
{
    struct rows rows;
    int64_t excl = 0;
    bool call = false;

    cr_assert_eq(view_pcs(stage, &by_excl, &rows), 0);
    for (u32 i = 0; i < rows.count; i++) {
        const struct row *row = &rows.row[i];

        excl += row->excl.v[0];
        /* The call in f1.2, whose return address is the next instruction. */
        if (row->addr == GEN_CODE + GEN_FUNC_BYTES + 16) {
            cr_assert_eq(row->incl.v[0], 19 * MS);
            cr_assert_str_eq(function_name(stage, row->func), "f1");
            call = true;
        }
        cr_assert(!row->object || row->addr % 8 == 0);
    }
    cr_assert(call);
    cr_assert_eq(excl, rows.total.excl.v[0]);
    rows_free(&rows);
}

Test(view, objects)
{
    struct rows rows;
    int found = 0;

    cr_assert_eq(view_objects(stage, &by_excl, &rows), 0);
    for (u32 i = 0; i < rows.count; i++) {
        struct object_info info;

        object_get(stage, rows.row[i].object, &info);
        if (!strcmp(info.name, "lib.so")) {
            cr_assert_eq(rows.row[i].excl.v[0], 14 * MS);
            cr_assert_eq(rows.row[i].incl.v[0], 14 * MS);
            found++;
        }
        if (!strcmp(info.name, "app")) {
            cr_assert_eq(rows.row[i].excl.v[0], 11 * MS);
            cr_assert_eq(rows.row[i].incl.v[0], 25 * MS);
            found++;
        }
        cr_assert_str_neq(info.name, "libcollector.so");
    }
    cr_assert_eq(found, 2);
    rows_free(&rows);
}

Test(view, several_experiments_are_summed)
{
    char *path = scene_path(stage_dir, "b.er"), *why;
    struct rows one, two;

    cr_assert_eq(view_functions(stage, &by_excl, &one), 0);
    scene_write(stage_dir, "b.er", 1);
    cr_assert_eq(sessions_add(stage, path, &why), 0);
    cr_assert_eq(view_functions(stage, &by_excl, &two), 0);
    cr_assert_eq(two.count, one.count);
    for (u32 i = 0; i < one.count; i++) {
        cr_assert_eq(two.row[i].func, one.row[i].func);
        cr_assert_eq(two.row[i].excl.v[0], 2 * one.row[i].excl.v[0]);
        cr_assert_eq(two.row[i].incl.v[0], 2 * one.row[i].incl.v[0]);
    }
    rows_free(&two);
    cr_assert_eq(sessions_drop(stage, 0), 0);
    cr_assert_eq(view_functions(stage, &by_excl, &two), 0);
    cr_assert_eq(two.total.excl.v[0], one.total.excl.v[0]);
    rows_free(&one);
    rows_free(&two);
    free(path);
}
