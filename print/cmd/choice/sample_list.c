/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/shell.h"

struct sample_view {
    struct table *t;
    u32 experiment, number, time, cause, thread, label;
};

static void
add_rows(const struct sample_view *v, const struct experiment *e, u32 id, u64 *left)
{
    for (u32 i = 0; i < e->samples.count; i++) {
        const struct sample_row *s = &e->samples.row[i];

        if (!*left) {
            v->t->nleft_out++;
            continue;
        }
        --*left;
        table_row(v->t, 0);
        table_number(v->t, v->experiment, id);
        table_number(v->t, v->number, i + 1);
        table_number(v->t, v->time, experiment_since(e, s->mono));
        table_text(v->t, v->cause, sample_cause_name(s->cause));
        if (s->thread)
            table_number(v->t, v->thread, s->thread);
        if (s->label && *s->label)
            table_text(v->t, v->label, s->label);
    }
}

int
cmd_sample_list(struct shell *sh, int argc, char **argv)
{
    struct table *t = table_new(argv[0], LAYOUT_COLUMNS);
    u64 left = sh->limit ? sh->limit : UINT64_MAX;
    struct sample_view v = {
        .t = t,
        .experiment = table_column(t, "experiment", "Exp.", "", COL_COUNT, 0),
        .number = table_column(t, "sample", "Sample", "", COL_COUNT, 0),
        .time = table_column(t, "time", "Time", "sec.", COL_NS, 0),
        .cause = table_column(t, "cause", "Cause", "", COL_TEXT, 0),
        .thread = table_column(t, "thread", "Thread", "", COL_COUNT, 0),
        .label = table_column(t, "label", "Label", "", COL_TEXT, 0),
    };

    (void)argc;
    for (u32 i = 0; i < sh->session->nexperiments; i++) {
        int err = experiment_samples(sh->session->experiment[i]);

        if (err) {
            table_free(t);
            return shell_fail_errno(sh, err, "sample points cannot be read");
        }
        add_rows(&v, sh->session->experiment[i], i + 1, &left);
    }
    return shell_show(sh, t);
}
