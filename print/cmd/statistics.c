/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/account.h"
#include "print/model/filter/filter.h"

#include "print/cmd/shell.h"
#include "print/cmd/totals.h"

/* The parts of CPU time by the kernel's account, each of user and system time. */
static const struct {
    const char *key, *title;
    enum er_residual residual; /* 0 = the hits */
} parts[] = {
    { "hits", "Clock hits", 0 },
    { "startup", "<startup>", RESIDUAL_STARTUP },
    { "exit", "<exit>", RESIDUAL_EXIT },
    { "unattributed", "<unattributed>", RESIDUAL_UNATTRIBUTED },
    { "paused", "While paused", RESIDUAL_PAUSED },
};

struct statistics {
    struct table *t;
    u64 shown; /* threads shown so far, of all experiments */
    bool filtered; /* a filter is set, which threads' own counts do not obey */
    u32 experiment, thread, tid, seen, records, dropped, cpu;
    u32 trace_seen[TRACE_COUNT], trace_records[TRACE_COUNT];
    u32 trace_dropped[TRACE_COUNT], sync_calls;
    u32 count_seen, count_records, count_dropped, count_lost, count_throttled;
    u32 off_seen, off_records, off_dropped;
    struct totals totals;
    u32 part[ER_COUNT(parts)][2];
    u32 rest[2], kernel[2];
    u32 own[2], handlers, cost, share;
};

static u32
time_column(struct table *t, const char *key, const char *title, int system)
{
    char full_key[40], full_title[64];

    snprintf(full_key, sizeof(full_key), "%s_%s", key, system ? "system" : "user");
    snprintf(full_title, sizeof(full_title), "%s, %s", title,
             system ? "system" : "user");
    return table_column(t, full_key, full_title, "sec.", COL_NS, 0);
}

/* What threads have counted themselves. */
struct counts {
    u64 seen[TRACE_COUNT];
    u64 dropped[TRACE_COUNT];
    u64 sync_calls;
    u64 count_seen;
    u64 count_dropped;
    u64 count_lost;
    u64 count_throttled;
    u64 off_seen;
    u64 off_dropped;
};

static u32
trace_column(struct table *t, enum er_trace trace, const char *key, const char *title)
{
    char full_key[40], full_title[64];

    snprintf(full_key, sizeof(full_key), "%s_%s", er_traces[trace].name, key);
    snprintf(full_title, sizeof(full_title), "%s %s", er_traces[trace].title, title);
    return table_column(t, full_key, full_title, "", COL_COUNT, 0);
}

static void
add_trace_columns(struct statistics *s)
{
    for (int i = 0; i < TRACE_COUNT; i++) {
        s->trace_seen[i] = trace_column(s->t, i, "seen", "events seen");
        s->trace_records[i] = trace_column(s->t, i, "records", "records");
        s->trace_dropped[i] = trace_column(s->t, i, "dropped", "events dropped");
    }
    s->count_seen =
        table_column(s->t, "count_seen", "Counter hits seen", "", COL_COUNT, 0);
    s->count_records =
        table_column(s->t, "count_records", "Counter records", "", COL_COUNT, 0);
    s->count_dropped =
        table_column(s->t, "count_dropped", "Counter hits dropped", "", COL_COUNT, 0);
    s->count_lost = table_column(s->t, "count_lost", "Counter overflows lost", "",
                                 COL_COUNT, 0);
    s->count_throttled = table_column(s->t, "count_throttled", "Counters throttled",
                                      "times", COL_COUNT, 0);
    s->off_seen = table_column(s->t, "off_seen", "Off-CPU seen", "", COL_COUNT, 0);
    s->off_records =
        table_column(s->t, "off_records", "Off-CPU records", "", COL_COUNT, 0);
    s->off_dropped =
        table_column(s->t, "off_dropped", "Off-CPU dropped", "", COL_COUNT, 0);
    s->sync_calls =
        table_column(s->t, "sync_calls", "Sync calls", "", COL_COUNT, 0);
}

static void
add_columns(struct statistics *s, const char *command,
            const struct session *session)
{
    struct table *t = s->t = table_new(command, LAYOUT_BLOCKS);

    s->thread = table_column(t, "thread", "Thread", "", COL_TEXT, 0);
    s->experiment = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    s->tid = table_column(t, "tid", "Kernel's thread id", "", COL_COUNT, 0);
    s->seen = table_column(t, "seen", "Events seen", "", COL_COUNT, 0);
    s->records = table_column(t, "records", "Records", "", COL_COUNT, 0);
    s->dropped = table_column(t, "dropped", "Dropped", "", COL_COUNT, 0);
    add_trace_columns(s);
    s->cpu = table_column(t, "cpu", "CPU time as the kernel has it", "sec.", COL_NS, 0);
    for (u32 i = 0; i < ER_COUNT(parts); i++)
        for (int k = 0; k < 2; k++)
            s->part[i][k] = time_column(t, parts[i].key, parts[i].title, k);
    for (int k = 0; k < 2; k++)
        s->own[k] = time_column(t, "collector", "Of the hits, <collector>", k);
    s->handlers =
        table_column(t, "handlers", "In handlers of hits", "sec.", COL_NS, 0);
    s->cost = table_column(t, "cost", "Measuring cost", "sec.", COL_NS, 0);
    s->share = table_column(t, "cost_share", "Measuring cost, of the CPU time", "%",
                            COL_PERCENT, 0);
    for (int k = 0; k < 2; k++)
        s->kernel[k] = time_column(t, "kernel", "The kernel's account", k);
    for (int k = 0; k < 2; k++)
        s->rest[k] = time_column(t, "rest", "In no thread's account", k);
    totals_columns(&s->totals, t, session, true);
}

static void
fill_parts(const struct statistics *s, const struct account_row *r)
{
    for (u32 i = 0; i < ER_COUNT(parts); i++) {
        int64_t user = i ? r->residual_user[parts[i].residual] : r->user;
        int64_t system = i ? r->residual_system[parts[i].residual] : r->system;

        if (i && !user && !system)
            continue;
        table_number(s->t, s->part[i][0], (u64)user);
        table_number(s->t, s->part[i][1], (u64)system);
    }
    table_number(s->t, s->records, r->records);
    if (!r->own_user && !r->own_system)
        return;
    table_number(s->t, s->own[0], (u64)r->own_user);
    table_number(s->t, s->own[1], (u64)r->own_system);
}

/* Fill in how much CPU time measuring has cost the process. */
static void
fill_cost(const struct statistics *s, const struct account *a)
{
    u64 cpu = (u64)(a->kernel_user + a->kernel_system);

    if (!a->has_handlers)
        return;
    table_number(s->t, s->handlers, a->handlers);
    table_number(s->t, s->cost, account_cost(a));
    if (a->has_kernel && cpu)
        table_real(s->t, s->share, (double)account_cost(a) * 100 / (double)cpu);
}

static void
fill_counts(const struct statistics *s, const struct counts *counts,
            const struct account_row *r)
{
    if (!counts->count_seen && !r->count_records)
        return;
    table_number(s->t, s->count_records, r->count_records);
    if (s->filtered)
        return;
    table_number(s->t, s->count_seen, counts->count_seen);
    table_number(s->t, s->count_dropped, counts->count_dropped);
    table_number(s->t, s->count_lost, counts->count_lost);
    table_number(s->t, s->count_throttled, counts->count_throttled);
}

static void
fill_off(const struct statistics *s, const struct counts *counts,
         const struct account_row *r)
{
    if (!counts->off_seen && !r->off_records)
        return;
    table_number(s->t, s->off_records, r->off_records);
    if (s->filtered)
        return;
    table_number(s->t, s->off_seen, counts->off_seen);
    table_number(s->t, s->off_dropped, counts->off_dropped);
}

/* Fill in the columns of each family of tracing for which anything was recorded. */
static void
fill_traces(const struct statistics *s, const struct counts *counts,
            const struct account_row *r)
{
    for (u32 i = 0; i < TRACE_COUNT; i++) {
        if (!counts->seen[i] && !r->trace_records[i] && !counts->dropped[i])
            continue;
        table_number(s->t, s->trace_records[i], r->trace_records[i]);
        if (s->filtered)
            continue;
        table_number(s->t, s->trace_seen[i], counts->seen[i]);
        table_number(s->t, s->trace_dropped[i], counts->dropped[i]);
    }
    fill_counts(s, counts, r);
    fill_off(s, counts, r);
    if (counts->sync_calls && !s->filtered)
        table_number(s->t, s->sync_calls, counts->sync_calls);
}

static void
add_counts(struct counts *to, const struct thread_row *row)
{
    for (u32 i = 0; i < TRACE_COUNT; i++) {
        to->seen[i] += row->trace_seen[i];
        to->dropped[i] += row->trace_dropped[i];
    }
    to->sync_calls += row->sync_calls;
    to->count_seen += row->count_seen;
    to->count_dropped += row->count_dropped;
    to->count_lost += row->count_lost;
    to->count_throttled += row->count_throttled;
    to->off_seen += row->off_seen;
    to->off_dropped += row->off_dropped;
}

/*
 * How many hits the thread saw, without those that the kernel's samples replaced, which
 * are not among its records.
 */
static u64
seen_of(const struct experiment *e, const struct thread_row *row)
{
    u64 replaced = reconcile_replaced(&e->reconcile, row->id);

    return row->seen > replaced ? row->seen - replaced : 0;
}

static void
add_thread(const struct statistics *s, const struct experiment *e,
           const struct account_row *r)
{
    const struct thread_row *row =
        r->index < e->threads.count ? &e->threads.row[r->index] : NULL;
    struct counts counts = { 0 };

    table_row(s->t, 0);
    table_text(s->t, s->experiment, e->path);
    if (!row && !r->thread)
        table_text(s->t, s->thread, "Launcher, and what is no thread's");
    else
        table_format(s->t, s->thread, "Thread %u%s%s", r->thread,
                     row && *row->name ? " " : "", row ? row->name : "");
    fill_parts(s, r);
    if (!s->filtered)
        table_number(s->t, s->dropped, r->chunk_dropped);
    if (row)
        add_counts(&counts, row);
    else
        memcpy(counts.dropped, r->trace_dropped, sizeof(counts.dropped));
    fill_traces(s, &counts, r);
    if (!row)
        return;
    table_number(s->t, s->tid, row->tid);
    if (s->filtered)
        return;
    table_number(s->t, s->seen, seen_of(e, row));
    table_number(s->t, s->dropped, row->dropped);
    table_number(s->t, s->cpu, row->cpu_last);
}

static void
add_total(const struct statistics *s, const struct experiment *e,
          const struct account *a)
{
    u64 seen = 0, dropped = 0;
    struct counts counts = { 0 };

    for (u32 i = 0; i < e->threads.count; i++) {
        add_counts(&counts, &e->threads.row[i]);
        seen += seen_of(e, &e->threads.row[i]);
        dropped += e->threads.row[i].dropped;
    }
    table_row(s->t, 0);
    table_text(s->t, s->thread, "<Total>");
    table_text(s->t, s->experiment, e->path);
    fill_parts(s, &a->total);
    fill_traces(s, &counts, &a->total);
    if (s->filtered)
        return;
    table_number(s->t, s->seen, seen);
    table_number(s->t, s->dropped, dropped);
    fill_cost(s, a);
    if (!a->has_kernel)
        return;
    table_number(s->t, s->cpu, (u64)(a->kernel_user + a->kernel_system));
    table_number(s->t, s->kernel[0], (u64)a->kernel_user);
    table_number(s->t, s->kernel[1], (u64)a->kernel_system);
    table_number(s->t, s->rest[0], (u64)a->rest_user);
    table_number(s->t, s->rest[1], (u64)a->rest_system);
}

/*
 * Add the rows of an experiment and its threads. The limit counts experiments, and
 * threads of all experiments together, since there may be thousands of processes.
 */
static int
add_experiment(struct statistics *s, const struct shell *sh, u32 index,
               const struct account *a)
{
    struct experiment *e = sh->session->experiment[index];
    u64 room = sh->limit > s->shown ? sh->limit - s->shown : 0;
    u32 n = sh->limit && room < a->count ? (u32)room : a->count;
    int err;

    if (sh->limit && index >= sh->limit) {
        s->t->nleft_out += 1 + a->count;
        return 0;
    }
    add_total(s, e, a);
    err = totals_fill(&s->totals, e, a->total.hits);
    for (u32 k = 0; k < n && !err; k++)
        add_thread(s, e, &a->row[k]);
    s->shown += n;
    s->t->nleft_out += a->count - n;
    return err;
}

int
cmd_statistics(struct shell *sh, int argc, char **argv)
{
    struct statistics s = { .filtered = filter_is_set(sh->session) };

    (void)argc;
    add_columns(&s, argv[0], sh->session);
    for (u32 i = 0; i < sh->session->nexperiments; i++) {
        struct account a;
        int err = account_build(sh->session, i, &a);

        if (err) {
            table_free(s.t);
            return shell_fail_errno(sh, err, "the account cannot be made");
        }
        err = add_experiment(&s, sh, i, &a);
        account_free(&a);
        if (err) {
            table_free(s.t);
            return shell_fail_errno(sh, err, "the totals cannot be read");
        }
    }
    return shell_show(sh, s.t);
}
