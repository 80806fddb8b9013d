/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/view/calls.h"

#include <string.h>

#include "print/cmd/compare.h"
#include "print/cmd/comparison.h"

struct table *
calls_table(struct panels *c, const struct shell *sh, const char *command)
{
    struct table *t;

    c->all = NULL;
    c->order = list_call_order(sh);
    t = list_table(command, "Callers, *function, callees", &c->order);
    c->function = table_column(t, "function", "Function", "", COL_TEXT, COL_DATA_ONLY);
    c->role = table_column(t, "role", "Role", "", COL_TEXT, COL_DATA_ONLY);
    mcols_before(&c->m, sh, t, MCOLS_CALLS);
    c->shown = table_column(t, "shown", "Name", "", COL_TEXT, COL_TEXT_ONLY);
    c->name = table_column(t, "name", "Name", "", COL_TEXT, COL_DATA_ONLY);
    mcols_after(&c->m);
    return t;
}

static void
add_row(const struct panels *c, struct shell *sh, const struct row *self,
        const struct row *r, const char *role, unsigned flags)
{
    struct table *t = c->m.table;
    const char *name = function_title(sh->session, r->func);
    struct mcols_values v = {
        .excl = &r->excl,
        .incl = &r->incl,
        .attr = &r->attr,
        .whole = &self->incl,
    };

    table_row(t, flags | (r == self ? ROW_SELF : 0));
    table_function(t, r->func);
    mcols_fill(&c->m, &v);
    table_text(t, c->function, function_title(sh->session, self->func));
    table_text(t, c->role, role);
    table_text(t, c->name, name);
    table_format(t, c->shown, "%c%s", r == self ? '*' : ' ', name);
}

/* Add a row for a function of the fragment other than the last one. */
static void
add_outer(const struct panels *c, struct shell *sh, const struct row *self,
          u32 function)
{
    const char *name = function_title(sh->session, function);
    struct table *t = c->m.table;

    table_row(t, ROW_SELF);
    table_function(t, function);
    table_text(t, c->function, function_title(sh->session, self->func));
    table_text(t, c->role, "fragment");
    table_text(t, c->name, name);
    table_format(t, c->shown, "*%s", name);
}

int
calls_panel(const struct panels *c, struct shell *sh, const u32 *function, u32 length)
{
    unsigned gap = c->m.table->nrows ? ROW_GAP : 0;
    struct around a;
    int err = c->all ? arounds_get(c->all, function, length, &c->order, &a)
                     : view_around(sh->session, function, length, &c->order, &a);

    if (err)
        return err;
    for (u32 i = 0; i < a.callers.count; i++, gap = 0)
        add_row(c, sh, &a.self, &a.callers.row[i], "caller", gap);
    for (u32 i = 0; i + 1 < length; i++)
        add_outer(c, sh, &a.self, function[i]);
    add_row(c, sh, &a.self, &a.self, "self", gap);
    for (u32 i = 0; i < a.callees.count; i++)
        add_row(c, sh, &a.self, &a.callees.row[i], "callee", 0);
    around_free(&a);
    return 0;
}

int
calls_show_fragment(struct shell *sh, const char *command)
{
    struct table *t;
    struct panels c;
    int err;

    if (!sh->nfragment)
        return shell_fail(sh, "there is no stack fragment yet: csingle begins one");
    if (comparison_is_on(sh))
        return compare_calls(sh, command);
    t = calls_table(&c, sh, command);
    err = calls_panel(&c, sh, sh->fragment, sh->nfragment);
    if (!err)
        return shell_show(sh, t);
    table_free(t);
    return shell_fail_errno(sh, err, "callers and callees cannot be listed");
}

int
cmd_callers_callees(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct table *t;
    struct panels c;
    struct rows rows;
    u32 n;
    int err;

    (void)argc;
    if (comparison_is_on(sh))
        return compare_panels(sh, argv[0]);
    err = view_functions(sh->session, &order, &rows);
    if (err)
        return shell_fail_errno(sh, err, "functions cannot be listed");
    t = calls_table(&c, sh, argv[0]);
    n = shell_limit(sh, t, rows.count);
    err = arounds_open(sh->session, &c.all);
    if (!err)
        err = calls_panel(&c, sh, &(u32){ FUNC_TOTAL }, 1);
    for (u32 i = 0; i < n && !err; i++)
        err = calls_panel(&c, sh, &rows.row[i].func, 1);
    rows_free(&rows);
    arounds_close(c.all);
    if (!err)
        return shell_show(sh, t);
    table_free(t);
    return shell_fail_errno(sh, err, "callers and callees cannot be listed");
}

int
cmd_csingle(struct shell *sh, int argc, char **argv)
{
    if (shell_function(sh, argc, argv, &sh->fragment[0]))
        return 1;
    sh->nfragment = 1;
    return calls_show_fragment(sh, argv[0]);
}

int
cmd_cprepend(struct shell *sh, int argc, char **argv)
{
    u32 function;

    if (shell_function(sh, argc, argv, &function))
        return 1;
    if (sh->nfragment == FRAGMENT_MAX)
        return shell_fail(sh, "the stack fragment is full");
    memmove(sh->fragment + 1, sh->fragment, sh->nfragment * sizeof(*sh->fragment));
    sh->fragment[0] = function;
    sh->nfragment++;
    return calls_show_fragment(sh, argv[0]);
}

int
cmd_cappend(struct shell *sh, int argc, char **argv)
{
    u32 function;

    if (shell_function(sh, argc, argv, &function))
        return 1;
    if (sh->nfragment == FRAGMENT_MAX)
        return shell_fail(sh, "the stack fragment is full");
    sh->fragment[sh->nfragment++] = function;
    return calls_show_fragment(sh, argv[0]);
}

int
cmd_crmfirst(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    if (sh->nfragment < 2)
        return shell_fail(sh, "the stack fragment has no more than one function");
    memmove(sh->fragment, sh->fragment + 1, --sh->nfragment * sizeof(*sh->fragment));
    return calls_show_fragment(sh, argv[0]);
}

int
cmd_crmlast(struct shell *sh, int argc, char **argv)
{
    (void)argc;
    if (sh->nfragment < 2)
        return shell_fail(sh, "the stack fragment has no more than one function");
    sh->nfragment--;
    return calls_show_fragment(sh, argv[0]);
}
