/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/calltree.h"

#include "print/cmd/compare.h"
#include "print/cmd/comparison.h"
#include "print/cmd/list.h"
#include "print/cmd/view/treedraw.h"

int
cmd_calltree(struct shell *sh, int argc, char **argv)
{
    struct order order = list_call_order(sh);
    struct values whole, excl, incl;
    struct treedraw d;
    struct calltree tree;
    struct table *t;
    struct mcols m;
    u32 left;
    int err;

    (void)argc;
    if (comparison_is_on(sh))
        return compare_calltree(sh, argv[0]);
    err = calltree_build(sh->session, &order, &tree);
    if (err)
        return shell_fail_errno(sh, err, "the call tree cannot be built");
    t = list_table(argv[0], "Call tree", &order);
    treedraw_open(&d, t, &tree);
    mcols_before(&m, sh, t, MCOLS_CALLS);
    treedraw_names(&d);
    mcols_after(&m);
    left = shell_limit(sh, t, tree.count);
    whole = calltree_incl(&tree, 0);
    for (u32 i = 0; left; i = treedraw_next(&d, i), left--) {
        const char *title = function_title(sh->session, tree.node[i].func);
        struct mcols_values v = {
            .excl = &excl,
            .incl = &incl,
            .attr = &incl,
            .whole = &whole,
        };

        excl = calltree_excl(&tree, i);
        incl = calltree_incl(&tree, i);
        table_row(t, 0);
        table_function(t, tree.node[i].func);
        mcols_fill(&m, &v);
        treedraw_node(&d, i, title);
    }
    treedraw_close(&d);
    calltree_free(&tree);
    return shell_show(sh, t);
}
