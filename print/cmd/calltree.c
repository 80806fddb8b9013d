/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/calltree.h"

#include "print/cmd/compare.h"
#include "print/cmd/list.h"
#include "print/cmd/treedraw.h"

int
cmd_calltree(struct shell *sh, int argc, char **argv)
{
    struct order order = list_call_order(sh);
    struct values whole, excl, incl;
    struct treedraw d = { 0 };
    struct calltree tree;
    struct table *t;
    struct mcols m;
    u32 id, parent, depth, shown, name, left;
    int err;

    (void)argc;
    if (compare_is_on(sh))
        return compare_calltree(sh, argv[0]);
    err = calltree_build(sh->session, &order, &tree);
    if (err)
        return shell_fail_errno(sh, err, "the call tree cannot be built");
    d.tree = &tree;
    t = list_table(argv[0], "Call tree", &order);
    id = table_column(t, "id", "Id", "", COL_COUNT, COL_DATA_ONLY);
    parent = table_column(t, "parent", "Parent", "", COL_COUNT, COL_DATA_ONLY);
    depth = table_column(t, "depth", "Depth", "", COL_COUNT, COL_DATA_ONLY);
    mcols_before(&m, sh, t, MCOLS_CALLS);
    shown = table_column(t, "shown", "Name", "", COL_TEXT, COL_TEXT_ONLY);
    name = table_column(t, "name", "Name", "", COL_TEXT, COL_DATA_ONLY);
    mcols_after(&m);
    left = shell_limit(sh, t, tree.count);
    whole = calltree_incl(&tree, 0);
    for (u32 i = 0; left; i = treedraw_next(&tree, i), left--) {
        const struct calltree_node *n = &tree.node[i];
        const char *title = function_title(sh->session, n->func);
        struct mcols_values v = {
            .excl = &excl,
            .incl = &incl,
            .attr = &incl,
            .whole = &whole,
        };

        excl = calltree_excl(&tree, i);
        incl = calltree_incl(&tree, i);
        table_row(t, 0);
        mcols_fill(&m, &v);
        table_number(t, id, i);
        if (i)
            table_number(t, parent, n->parent);
        table_number(t, depth, n->depth);
        table_text(t, name, title);
        table_format(t, shown, "%s%s", treedraw_branches(&d, t, i), title);
    }
    treedraw_close(&d);
    calltree_free(&tree);
    return shell_show(sh, t);
}
