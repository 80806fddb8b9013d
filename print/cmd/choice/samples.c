/* SPDX-License-Identifier: Apache-2.0 */
/* Sample points: sample_list, and sample_detail of the times between them. */
#include "print/cmd/shell.h"
#include "print/cmd/usage.h"
#include "print/model/views/view.h"

struct sample_view {
    struct table *t;
    u32 experiment, number, time, cause, thread, label;
};

static void
list_rows(const struct sample_view *v, const struct experiment *e, u32 id, u64 *left)
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
        list_rows(&v, sh->session->experiment[i], i + 1, &left);
    }
    return shell_show(sh, t);
}

struct detail {
    struct table *t;
    struct usage usage;
    u32 title, experiment, sample, from, duration, cause, recorded, label;
};

static void
detail_columns(struct detail *d, const char *command)
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
detail_row(const struct detail *d, const struct experiment *e, const struct row *r)
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
    detail_columns(&d, argv[0]);
    n = shell_limit(sh, d.t, rows.count);
    for (u32 i = 0; i < n; i++)
        detail_row(&d, sh->session->experiment[rows.row[i].experiment], &rows.row[i]);
    rows_free(&rows);
    return shell_show(sh, d.t);
}
