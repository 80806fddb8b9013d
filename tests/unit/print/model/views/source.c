/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/source.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/gen/stage.h"

TestSuite(source, .init = stage_up, .fini = stage_down);

static u32
func(const char *name)
{
    u32 *ids, count, id;

    cr_assert_eq(function_find(stage, name, &ids, &count), 0);
    id = ids[0];
    free(ids);
    return id;
}

/* A text of 300 lines at <dir>/src/app.c. */
static void
write_text(void)
{
    char path[500];
    FILE *f;

    snprintf(path, sizeof(path), "%s/app.c", stage_dir);
    f = fopen(path, "w");
    for (int i = 1; i <= 300; i++)
        fprintf(f, "line %d%s", i, i < 300 ? "\n" : "");
    fclose(f);
}

static const struct source_mark *
mark(const struct source *s, u32 line, const char *name, bool inlined)
{
    for (u32 i = 0; i < s->nmarks; i++)
        if (s->mark[i].line == line && s->mark[i].inlined == inlined &&
            !strcmp(function_name(stage, s->mark[i].func), name))
            return &s->mark[i];
    return NULL;
}

Test(source, lines_with_code_and_sums)
{
    struct source s;

    cr_assert_eq(source_function(stage, func("f5"), METRIC_totalcpu, 75, &s), 0);
    cr_assert_null(s.found);
    cr_assert_eq(s.focus, 51);
    cr_assert_eq(s.last, 58);
    cr_assert_eq(s.count, 198); /* the last line of f19 */
    cr_assert(s.line[50].code && !s.line[49].code);
    cr_assert_eq(grid_value(&s.incl, 54, METRIC_totalcpu), 5 * MS); /* 55: the call */
    cr_assert_eq(grid_value(&s.excl, 54, METRIC_totalcpu), 0);
    cr_assert_eq(grid_value(&s.excl, 58, METRIC_totalcpu), 5 * MS); /* 59: inlined */
    cr_assert_eq(grid_value(&s.incl, 1, METRIC_totalcpu), 24 * MS); /* f0.1 */
    cr_assert_eq(grid_value(&s.excl, 21, METRIC_system), 3 * MS);
    cr_assert(s.line[21].hot && s.line[58].hot && s.line[1].hot);
    cr_assert_not(s.line[54].hot);
    cr_assert_not(s.line[2].hot);
    source_free(&s);
}

Test(source, marks)
{
    struct source s;
    const struct source_mark *m;

    cr_assert_eq(source_function(stage, func("f5"), METRIC_totalcpu, 75, &s), 0);
    m = mark(&s, 55, "inlined_5", true);
    cr_assert_not_null(m);
    cr_assert_eq(m->excl.v[0], 5 * MS);
    cr_assert_eq(m->incl.v[0], 5 * MS);
    m = mark(&s, 5, "inlined_0", true); /* without samples */
    cr_assert_not_null(m);
    cr_assert_eq(m->incl.v[0], 0);
    cr_assert_not_null(mark(&s, 51, "f5", false));
    cr_assert_null(mark(&s, 51, "g5", false));
    for (u32 i = 1; i < s.nmarks; i++)
        cr_assert(s.mark[i - 1].line <= s.mark[i].line);
    source_free(&s);
}

Test(source, text_by_search_path_and_pathmap)
{
    struct source s;
    char to[500];

    write_text();
    session_setpath(stage, stage_dir);
    cr_assert_eq(source_function(stage, func("f0"), METRIC_totalcpu, 75, &s), 0);
    cr_assert_not_null(strstr(s.found, "/app.c"));
    cr_assert_eq(s.count, 300);
    cr_assert_eq(s.line[299].length, 8);
    cr_assert_eq(strncmp(s.line[299].text, "line 300", 8), 0);
    source_free(&s);

    session_setpath(stage, "");
    cr_assert_eq(source_function(stage, func("f0"), METRIC_totalcpu, 75, &s), 0);
    cr_assert_null(s.found);
    source_free(&s);

    snprintf(to, sizeof(to), "%s/", stage_dir);
    session_pathmap(stage, "/gen/", to);
    cr_assert_eq(source_function(stage, func("f0"), METRIC_totalcpu, 75, &s), 0);
    cr_assert_not_null(s.found);
    source_free(&s);
}

Test(source, what_has_none)
{
    struct source s;

    cr_assert_eq(source_function(stage, FUNC_UNKNOWN, 0, 75, &s), -ENODATA);
    cr_assert_eq(source_file(stage, 0, 0, 75, &s), -EINVAL);
    cr_assert_eq(source_file(stage, 99999, 0, 75, &s), -EINVAL);
}
