/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

int
cmd_label_list(struct shell *sh, int argc, char **argv)
{
    struct table *t = table_new(argv[0], LAYOUT_COLUMNS);
    u32 id = table_column(t, "experiment", "Experiment", "", COL_COUNT, 0);
    u32 name = table_column(t, "name", "Label", "", COL_TEXT, 0);
    u32 start = table_column(t, "start", "From", "sec.", COL_NS, 0);
    u32 stop = table_column(t, "stop", "To", "sec.", COL_NS, 0);
    u32 doc = table_column(t, "doc", "What it is", "", COL_TEXT, 0);

    (void)argc;
    table_title(t, "Labels");
    for (u32 e = 0; e < sh->session->nexperiments; e++) {
        struct experiment *exp = sh->session->experiment[e];
        const struct labels *l = experiment_labels(exp, false);

        for (u32 i = 0; i < l->count && exp->is_founder; i++) {
            if (sh->limit && t->nrows >= sh->limit) {
                t->nleft_out++;
                continue;
            }
            table_row(t, 0);
            table_number(t, id, e + 1);
            table_text(t, name, l->row[i].name);
            table_number(t, start, l->row[i].start);
            if (l->row[i].stop != UINT64_MAX)
                table_number(t, stop, l->row[i].stop);
            table_text(t, doc, l->row[i].doc);
        }
    }
    return shell_show(sh, t);
}
