/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/cmd/comparison.h"

static const struct {
    const char *title;
    const char *name;        /* heading of the names of functions */
    const char *key, *place; /* of the column before them */
} views[] = {
    [COMPARE_FUNCTIONS] = { "Functions", "Name", "", "" },
    [COMPARE_LINES] = { "Source lines", "Function", "line", "Line" },
    [COMPARE_PCS] = { "Program counters", "Function", "pc", "PC" },
    [COMPARE_CALLS] = { "Callers, *function, callees", "Name", "role", "" },
};

static int
add_calls(struct comparison *c, u32 group, void *unused)
{
    (void)unused;
    return comparison_add_calls(c, group);
}

struct columns {
    struct table *t;
    struct comparison_columns cols;
    u32 name, place, starred;
};

static void
add_columns(const struct comparison *c, struct columns *cols)
{
    bool calls = c->view == COMPARE_CALLS;

    comparison_columns(c, &cols->cols, cols->t, calls ? MCOLS_CALLS : MCOLS_PLACES);
    if (c->view != COMPARE_FUNCTIONS)
        cols->place = table_column(cols->t, views[c->view].key, views[c->view].place,
                                   "", COL_TEXT, calls ? COL_DATA_ONLY : 0);
    if (calls)
        cols->starred =
            table_column(cols->t, "shown", "Name", "", COL_TEXT, COL_TEXT_ONLY);
    cols->name = table_column(cols->t, "name", views[c->view].name, "", COL_TEXT,
                              calls ? COL_DATA_ONLY : 0);
}

static void
add_row(const struct comparison *c, const struct columns *cols, const struct entry *e)
{
    table_row(cols->t, 0);
    comparison_fill(c, &cols->cols, e);
    table_text(cols->t, cols->name, e->name);
    if (c->view == COMPARE_CALLS)
        table_format(cols->t, cols->starred, "%c%s", e->role == ROLE_SELF ? '*' : ' ',
                     e->name);
    if (c->view != COMPARE_FUNCTIONS)
        table_text(cols->t, cols->place, e->place);
}

/* List the functions of the fragment, which call each other, outermost first. */
static void
add_fragment(const struct comparison *c, struct table *t)
{
    const char *names = "";

    for (u32 i = 0; i < c->sh->nfragment; i++)
        names = arena_printf(&t->arena, "%s%s%s", names, i ? " > " : "",
                             function_name(c->sh->session, c->sh->fragment[i]));
    table_fact(t, "fragment", "Fragment", names);
}

static int
show(struct comparison *c, const char *command)
{
    struct columns cols = { .t = list_table(command, views[c->view].title,
                                            &c->order) };
    bool calls = c->view == COMPARE_CALLS;
    u32 n, first = !calls;

    comparison_facts(c, cols.t);
    if (calls && c->sh->nfragment > 1)
        add_fragment(c, cols.t);
    comparison_noise_fact(c, cols.t);
    add_columns(c, &cols);
    if (!calls)
        add_row(c, &cols, &c->entry[0]);
    n = calls ? c->count : shell_limit(c->sh, cols.t, c->count - 1);
    comparison_sort(c, first);
    for (u32 i = first; i < first + n; i++)
        add_row(c, &cols, &c->entry[i]);
    comparison_columns_free(&cols.cols);
    return shell_show(c->sh, cols.t);
}

static int
run(struct shell *sh, const char *command, enum compare_view view)
{
    struct comparison c;
    int err = 0;

    comparison_open(&c, sh, view == COMPARE_CALLS ? list_call_order(sh)
                                                  : list_order(sh));
    c.view = view;
    if (view != COMPARE_CALLS && !comparison_entry(&c, FUNC_TOTAL, ""))
        err = -ENOMEM;
    if (!err)
        err = comparison_each_group(
            &c, view == COMPARE_CALLS ? add_calls : comparison_add_rows, NULL);
    err = err ? shell_fail_errno(sh, err, "the groups cannot be compared")
              : show(&c, command);
    comparison_close(&c);
    return err;
}

int
compare_functions(struct shell *sh, const char *command)
{
    return run(sh, command, COMPARE_FUNCTIONS);
}

int
compare_lines(struct shell *sh, const char *command)
{
    return run(sh, command, COMPARE_LINES);
}

int
compare_pcs(struct shell *sh, const char *command)
{
    return run(sh, command, COMPARE_PCS);
}

int
compare_calls(struct shell *sh, const char *command)
{
    return run(sh, command, COMPARE_CALLS);
}

int
cmd_compare(struct shell *sh, int argc, char **argv)
{
    static const char *const modes[] = {
        [COMPARE_OFF] = "off",
        [COMPARE_ON] = "on",
        [COMPARE_DELTA] = "delta",
        [COMPARE_RATIO] = "ratio",
    };

    (void)argc;
    for (u32 i = 0; i < ER_COUNT(modes); i++)
        if (!strcasecmp(modes[i], argv[1])) {
            sh->compare = (enum compare_mode)i;
            return 0;
        }
    return shell_fail(sh, "\"%s\" is none of off, on, delta, ratio", argv[1]);
}
