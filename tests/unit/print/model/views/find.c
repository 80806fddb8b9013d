/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>

#include "print/model/symbols/function.h"
#include "print/model/views/view.h"
#include "tests/gen/stage.h"

TestSuite(find, .init = stage_up, .fini = stage_down);

static u32
find(const char *name, struct function_info *info)
{
    u32 *ids, count, id;

    if (function_find(stage, name, &ids, &count) < 0)
        return 0;
    cr_assert_eq(count, 1);
    id = ids[0];
    free(ids);
    function_get(stage, id, info);
    return id;
}

Test(find, functions_without_metrics_too)
{
    struct function_info info;

    cr_assert(find("f7", &info));
    cr_assert_eq(info.addr, GEN_CODE + 7 * GEN_FUNC_BYTES);
    cr_assert_eq(info.size, GEN_FUNC_BYTES);
    cr_assert_str_eq(file_path(stage, info.file), "/gen/app.c");
    cr_assert_eq(info.line, 71);
    cr_assert_not(info.inlined);
    cr_assert(find("inlined_10", &info));
    cr_assert(info.inlined);
    cr_assert_eq(info.size, 0);
    cr_assert(find("g9", &info));
    cr_assert(find("<exit>", &info));
    cr_assert_not(find("g10", &info));
    cr_assert_not(find("", &info));
}

Test(find, the_same_number_as_in_views)
{
    const struct order order = { ORDER_METRIC, 0, FLAVOUR_EXCLUSIVE, false };
    struct function_info info;
    struct rows rows;
    u32 g2 = find("g2", &info);

    cr_assert_eq(view_functions(stage, &order, &rows), 0);
    cr_assert_eq(rows.row[0].func, g2);
    rows_free(&rows);
}

Test(find, files_by_their_end)
{
    u32 *ids, count;

    cr_assert_eq(file_find(stage, "app.c", &ids, &count), 0);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(file_path(stage, ids[0]), "/gen/app.c");
    free(ids);
    cr_assert_eq(file_find(stage, "/gen/lib.c", &ids, &count), 0);
    free(ids);
    cr_assert_eq(file_find(stage, "pp.c", &ids, &count), -ENOENT);
    cr_assert_eq(file_find(stage, "", &ids, &count), -ENOENT);
}

Test(find, functions_of_addresses)
{
    u32 f = function_at(stage, 1, GEN_CODE + 3 * GEN_FUNC_BYTES + 63);

    cr_assert_str_eq(function_name(stage, f), "f3");
    cr_assert_str_eq(function_name(stage, function_at(stage, 1, 5)), "<Unknown> (app)");
    cr_assert_eq(function_at(stage, 99, 5), FUNC_UNKNOWN);
    f = function_of_pc(stage, 0, 2, LIB_BIAS + GEN_CODE + 64);
    cr_assert_str_eq(function_name(stage, f), "g1");
    f = function_of_pc(stage, 0, 0, LIB_BIAS + GEN_CODE + 128);
    cr_assert_str_eq(function_name(stage, f), "g2");
    cr_assert_eq(function_of_pc(stage, 0, 0, 77), FUNC_UNKNOWN);
}

Test(find, titles)
{
    struct function_info info;
    u32 f = find("f7", &info);

    cr_assert_str_eq(function_title(stage, f), "f7");
    stage->soname = true;
    cr_assert_str_eq(function_title(stage, f), "f7 [app]");
    cr_assert_str_eq(function_title(stage, FUNC_TOTAL), "<Total>");
}
