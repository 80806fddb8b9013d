/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/calls.h"

struct table *
calls_table(struct calls *c, const struct shell *sh, const char *command)
{
    struct table *t;

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
add_row(const struct calls *c, struct shell *sh, const struct row *self,
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

    table_row(t, flags);
    mcols_fill(&c->m, &v);
    table_text(t, c->function, function_title(sh->session, self->func));
    table_text(t, c->role, role);
    table_text(t, c->name, name);
    table_format(t, c->shown, "%c%s", r == self ? '*' : ' ', name);
}

int
calls_panel(const struct calls *c, struct shell *sh, u32 function)
{
    unsigned gap = c->m.table->nrows ? ROW_GAP : 0;
    struct around a;
    int err = view_around(sh->session, &function, 1, &c->order, &a);

    if (err)
        return err;
    for (u32 i = 0; i < a.callers.count; i++, gap = 0)
        add_row(c, sh, &a.self, &a.callers.row[i], "caller", gap);
    add_row(c, sh, &a.self, &a.self, "self", gap);
    for (u32 i = 0; i < a.callees.count; i++)
        add_row(c, sh, &a.self, &a.callees.row[i], "callee", 0);
    around_free(&a);
    return 0;
}
