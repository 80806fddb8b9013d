/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/list.h"
#include "print/model/programs.h"
#include "print/model/views/account.h"

struct threads_view {
    struct shell *sh;
    struct table *t;
    u32 experiment, thread, tid, name, cpu, user, system, share, hits, dropped, birth;
    u32 life, start, program;
    struct account *account; /* one per experiment */
    int64_t whole;
};

static void
add_columns(struct threads_view *v, struct table *t)
{
    v->t = t;
    v->experiment = table_column(t, "experiment", "Exp.", "", COL_COUNT, 0);
    v->thread = table_column(t, "thread", "Thread", "", COL_COUNT, 0);
    v->tid = table_column(t, "tid", "Tid", "", COL_COUNT, 0);
    v->cpu = table_column(t, "totalcpu", "Total CPU", "sec.", COL_NS, 0);
    v->share = table_column(t, "share", "Total CPU", "%", COL_PERCENT, COL_JOINED);
    v->user = table_column(t, "user", "User CPU", "sec.", COL_NS, COL_DETAIL);
    v->system = table_column(t, "system", "System CPU", "sec.", COL_NS,
                             COL_DETAIL);
    v->hits = table_column(t, "hits", "Clock hits", "", COL_COUNT, COL_DETAIL);
    v->dropped = table_column(t, "dropped", "Dropped", "", COL_COUNT, COL_DETAIL);
    v->birth = table_column(t, "birth", "Born", "sec.", COL_NS, COL_DETAIL);
    v->life = table_column(t, "life", "Lived", "sec.", COL_NS, 0);
    v->name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    v->start = table_column(t, "start", "Start function", "", COL_TEXT, 0);
    v->program = table_column(t, "program", "Program", "", COL_TEXT,
                              v->sh->session->nexperiments > 1 ? 0 : COL_DATA_ONLY);
}

static const struct account_row *
account_of(const struct account *a, u32 thread)
{
    for (u32 i = 0; i < a->count; i++)
        if (a->row[i].thread == thread)
            return &a->row[i];
    return NULL;
}

static void
fill_thread(const struct threads_view *v, const struct experiment *e, u32 experiment,
            const struct thread_row *row)
{
    const struct account_row *a = account_of(&v->account[experiment], row->id);
    u64 birth = experiment_since(e, row->birth);
    u64 death = experiment_since(e, row->death ? row->death : e->end_mono);

    table_number(v->t, v->thread, row->id);
    table_number(v->t, v->tid, row->tid);
    table_number(v->t, v->dropped, row->dropped);
    if (a)
        table_number(v->t, v->hits, a->clock_records);
    if (row->birth) {
        table_number(v->t, v->birth, birth);
        table_number(v->t, v->life, death > birth ? death - birth : 0);
    }
    table_text(v->t, v->name, row->name);
    if (row->start) {
        u32 f = function_of_pc(v->sh->session, experiment, row->instance, row->start);

        table_text(v->t, v->start, function_title(v->sh->session, f));
    }
}

static void
add_row(const struct threads_view *v, const struct row *r)
{
    const struct experiment *e = v->sh->session->experiment[r->experiment];
    int64_t cpu = r->excl.v[METRIC_totalcpu];

    table_row(v->t, 0);
    table_number(v->t, v->experiment, r->experiment + 1);
    table_text(v->t, v->program, programs_name(e));
    table_number(v->t, v->cpu, (u64)cpu);
    table_real(v->t, v->share, v->whole ? 100 * (double)cpu / (double)v->whole : 0);
    table_number(v->t, v->user, (u64)r->excl.v[METRIC_user]);
    table_number(v->t, v->system, (u64)r->excl.v[METRIC_system]);
    if (r->index < e->threads.count)
        fill_thread(v, e, r->experiment, &e->threads.row[r->index]);
    else
        table_text(v->t, v->name, "<no thread>");
}

static int
build_accounts(struct threads_view *v)
{
    u32 n = v->sh->session->nexperiments;
    int err = 0;

    v->account = arena_alloc(&v->t->arena, n * sizeof(*v->account));
    for (u32 i = 0; i < n && !err; i++)
        err = account_build(v->sh->session, i, &v->account[i]);
    return err;
}

int
cmd_thread_list(struct shell *sh, int argc, char **argv)
{
    struct order order = list_order(sh);
    struct threads_view v = { .sh = sh };
    struct table *t;
    struct rows rows;
    u32 n;
    int err = view_threads(sh->session, &order, &rows);

    (void)argc;
    if (err)
        return shell_fail_errno(sh, err, "threads cannot be listed");
    t = list_table(argv[0], "Threads", &order);
    add_columns(&v, t);
    v.whole = rows.total.excl.v[METRIC_totalcpu];
    err = build_accounts(&v);
    n = shell_limit(sh, t, rows.count);
    for (u32 i = 0; i < n && !err; i++)
        add_row(&v, &rows.row[i]);
    for (u32 i = 0; i < sh->session->nexperiments; i++)
        account_free(&v.account[i]);
    rows_free(&rows);
    if (!err)
        return shell_show(sh, t);
    table_free(t);
    return shell_fail_errno(sh, err, "threads cannot be listed");
}
