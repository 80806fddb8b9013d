/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "print/cmd/compare.h"
#include "print/cmd/comparison.h"
#include "print/cmd/list.h"

struct pcs_view {
    struct shell *sh;
    struct mcols m;
    u32 pc, function, offset, address, object, file, line, place;
};

/*
 * Fill in "beta + 0x2f"; code outside the function's first part is given by its
 * address.
 */
static void
fill_pc(const struct pcs_view *v, const struct row *r)
{
    struct table *t = v->m.table;
    const char *name = function_title(v->sh->session, r->func);
    u64 offset;

    if (r->func < FUNC_PSEUDO_COUNT && !r->addr) {
        table_text(t, v->pc, name);
        return;
    }
    table_number(t, v->address, r->addr);
    if (function_offset(v->sh->session, r->func, r->addr, &offset)) {
        table_number(t, v->offset, offset);
        table_format(t, v->pc, "%s + 0x%" PRIx64, name, offset);
    } else {
        table_format(t, v->pc, "%s at 0x%" PRIx64, name, r->addr);
    }
}

static void
add_row(const struct pcs_view *v, const struct row *r, const struct values *whole)
{
    struct mcols_values values = { .excl = &r->excl, .incl = &r->incl, .whole = whole };
    struct table *t = v->m.table;
    struct object_info o;
    char place[256];

    table_row(t, 0);
    table_function(t, r->func);
    mcols_fill(&v->m, &values);
    fill_pc(v, r);
    table_text(t, v->function, function_title(v->sh->session, r->func));
    table_text(t, v->place,
               list_place(v->sh, r->object, r->file, r->line, place, sizeof(place)));
    if (r->object) {
        object_get(v->sh->session, r->object, &o);
        table_text(t, v->object, o.path);
    }
    if (r->file)
        table_text(t, v->file, file_path(v->sh->session, r->file));
    if (r->line)
        table_number(t, v->line, r->line);
}

static void
add_columns(struct pcs_view *v, struct table *t)
{
    mcols_before(&v->m, v->sh, t, MCOLS_PLACES);
    v->pc = table_column(t, "pc", "PC", "", COL_TEXT, COL_TEXT_ONLY);
    v->place = table_column(t, "place", "Line", "", COL_TEXT, COL_TEXT_ONLY);
    v->function = table_column(t, "function", "Function", "", COL_TEXT, COL_DATA_ONLY);
    v->offset = table_column(t, "offset", "Offset", "byte", COL_COUNT, COL_DATA_ONLY);
    v->address = table_column(t, "address", "Address", "", COL_ADDRESS, COL_DATA_ONLY);
    v->object = table_column(t, "object", "Load object", "", COL_TEXT, COL_DATA_ONLY);
    v->file = table_column(t, "file", "File", "", COL_TEXT, COL_DATA_ONLY);
    v->line = table_column(t, "line", "Line", "", COL_COUNT, COL_DATA_ONLY);
    mcols_after(&v->m);
}

int
cmd_pcs(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct pcs_view v = { .sh = sh };
    struct table *t;
    struct rows rows;
    u32 n;
    int err;

    (void)argc;
    if (comparison_is_on(sh))
        return compare_pcs(sh, argv[0]);
    err = view_pcs(sh->session, &order, &rows);
    if (err)
        return shell_fail_errno(sh, err, "program counters cannot be listed");
    t = list_table(argv[0], "Program counters", &order);
    add_columns(&v, t);
    add_row(&v, &rows.total, &rows.total.incl);
    n = shell_limit(sh, t, rows.count);
    for (u32 i = 0; i < n; i++)
        add_row(&v, &rows.row[i], &rows.total.incl);
    rows_free(&rows);
    return shell_show(sh, t);
}
