/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/list.h"
#include "print/cmd/mpicols.h"
#include "print/cmd/totals.h"
#include "print/cmd/usage.h"
#include "print/model/mpi/mpialign.h"

struct overview {
    struct table *t;
    struct usage usage;
    struct totals totals;
    u32 path, target, host, duration, cpu, load, samples, threads;
};

static void
add_columns(struct overview *o, const char *command, const struct session *session)
{
    struct table *t = o->t = table_new(command, LAYOUT_BLOCKS);

    o->path = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    o->target = table_column(t, "target", "Target", "", COL_TEXT, 0);
    o->host = table_column(t, "host", "Host", "", COL_TEXT, 0);
    o->duration = table_column(t, "duration", "Duration", "sec.", COL_NS, 0);
    o->cpu = table_column(t, "cpu", "Total CPU", "sec.", COL_NS, 0);
    o->load =
        table_column(t, "busy", "Processors kept busy", "", COL_REAL, 0);
    usage_columns(&o->usage, t);
    o->threads =
        table_column(t, "all_threads", "Threads in all", "", COL_COUNT, 0);
    totals_columns(&o->totals, t, session, false);
    o->samples = table_column(t, "samples", "Sample points", "", COL_COUNT, 0);
}

/*
 * The sample point at the end, but with the most threads and memory of any sample
 * point: at the last one, the process was ending.
 */
static struct sample_row
highest(const struct experiment *e)
{
    struct sample_row top = e->samples.row[e->samples.count - 1];

    for (u32 i = 0; i < e->samples.count; i++) {
        const struct sample_row *s = &e->samples.row[i];

        for (int k = SAMPLE_rss; k <= SAMPLE_threads; k++)
            if (s->known >> k & 1 && s->value[k] > top.value[k]) {
                top.value[k] = s->value[k];
                top.known |= 1u << k;
            }
    }
    for (int k = SAMPLE_rss; k <= SAMPLE_threads; k++)
        if (!top.value[k])
            top.known &= ~(1u << k);
    return top;
}

static void
add_row(const struct overview *o, const struct experiment *e)
{
    const char *host = log_fact(&e->log, "host", "name");
    u64 duration = experiment_duration(e);
    u64 cpu = e->user + e->system;

    table_row(o->t, 0);
    table_text(o->t, o->path, e->path);
    if (e->log.nargs)
        table_text(o->t, o->target, e->log.arg[0]);
    if (host)
        table_text(o->t, o->host, host);
    table_number(o->t, o->duration, duration);
    table_number(o->t, o->samples, e->samples.count);
    table_number(o->t, o->threads, e->threads.count);
    if (e->samples.count) {
        struct sample_row top = highest(e);

        usage_fill(&o->usage, NULL, &top);
    }
    if (!e->has_account)
        return;
    table_number(o->t, o->cpu, cpu);
    table_number(o->t, o->usage.column[SAMPLE_user], e->user);
    table_number(o->t, o->usage.column[SAMPLE_system], e->system);
    if (duration)
        table_real(o->t, o->load, (double)cpu / (double)duration);
}

/*
 * If ranks ran on several hosts, say how exactly their clocks agree. 0, or 1 after a
 * message.
 */
static int
add_clocks(struct shell *sh, struct table *t)
{
    struct mpi_clocks clocks = { 0 };
    struct ranks ranks;
    int err = ranks_of(sh->session, &ranks);

    if (err)
        return shell_fail_errno(sh, err, "the ranks cannot be told apart");
    if (ranks.hosts > 1)
        err = mpiclocks_open(sh->session, &ranks, &clocks);
    if (!err && ranks.hosts > 1)
        err = mpialign_clocks(sh->session, &ranks, &clocks);
    if (!err)
        mpicols_clocks(t, &ranks, &clocks);
    mpiclocks_free(&clocks);
    ranks_free(&ranks);
    return err ? shell_fail_errno(sh, err, "the hosts' clocks cannot be aligned") : 0;
}

int
cmd_overview(struct shell *sh, int argc, char **argv)
{
    struct overview o;
    u32 shown;

    (void)argc;
    add_columns(&o, argv[0], sh->session);
    if (add_clocks(sh, o.t)) {
        table_free(o.t);
        return 1;
    }
    shown = shell_limit(sh, o.t, sh->session->nexperiments);
    for (u32 i = 0; i < shown; i++) {
        struct experiment *e = sh->session->experiment[i];
        int err = experiment_samples(e);

        if (!err) {
            add_row(&o, e);
            err = totals_fill(&o.totals, e, NULL);
        }
        if (err) {
            table_free(o.t);
            return shell_fail_errno(sh, err, "sample points cannot be read");
        }
    }
    return shell_show(sh, o.t);
}
