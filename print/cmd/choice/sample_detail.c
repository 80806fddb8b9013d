/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/usage.h"
#include "print/model/views/view.h"
#include "print/cmd/shell.h"

struct detail {
    struct table *t;
    struct usage usage;
    u32 title, experiment, sample, from, duration, cause, recorded, label;
};

static void
add_columns(struct detail *d, const char *command)
{
    struct table *t = d->t = table_new(command, LAYOUT_BLOCKS);

    d->title = table_column(t, "title", "Sample", "", COL_TEXT, COL_TEXT_ONLY);
    d->experiment = table_column(t, "experiment", "Exp.", "", COL_COUNT, COL_DATA_ONLY);
    d->sample = table_column(t, "sample", "Sample", "", COL_COUNT, COL_DATA_ONLY);
    d->from = table_column(t, "from", "From", "sec.", COL_NS, 0);
    d->duration = table_column(t, "duration", "Duration", "sec.", COL_NS, 0);
    d->cause = table_column(t, "cause", "Ended by", "", COL_TEXT, 0);
    d->recorded = table_column(t, "recorded", "Profiled\nCPU", "sec.", COL_NS, 0);
    usage_columns(&d->usage, t);
    d->label = table_column(t, "label", "Label", "", COL_TEXT, 0);
}

static void
add_row(const struct detail *d, const struct experiment *e, const struct row *r)
{
    const struct sample_row *to, *from;
    u64 begin;

    if (r->index >= e->samples.count)
        return;
    to = &e->samples.row[r->index];
    from = r->index ? to - 1 : NULL;
    begin = experiment_since(e, from ? from->mono : e->start_mono);
    table_row(d->t, 0);
    table_format(d->t, d->title, "%s, to sample %u", e->path, r->index + 1);
    table_number(d->t, d->experiment, r->experiment + 1);
    table_number(d->t, d->sample, r->index + 1);
    table_number(d->t, d->from, begin);
    table_number(d->t, d->duration, experiment_since(e, to->mono) - begin);
    table_text(d->t, d->cause, sample_cause_name(to->cause));
    table_number(d->t, d->recorded, (u64)r->excl.v[METRIC_totalcpu]);
    usage_fill(&d->usage, from, to);
    if (to->label && *to->label)
        table_text(d->t, d->label, to->label);
}

int
cmd_sample_detail(struct shell *sh, int argc, char **argv)
{
    struct detail d;
    struct rows rows;
    u32 n;
    int err = view_intervals(sh->session, &rows);

    (void)argc;
    if (err)
        return shell_fail_errno(sh, err, "sample points cannot be read");
    add_columns(&d, argv[0]);
    n = shell_limit(sh, d.t, rows.count);
    for (u32 i = 0; i < n; i++)
        add_row(&d, sh->session->experiment[rows.row[i].experiment], &rows.row[i]);
    rows_free(&rows);
    return shell_show(sh, d.t);
}
