/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/load/wall.h"
#include "print/model/filter/filterbind.h"
#include "print/model/filter/filters.h"
#include "print/model/heap/heapscan.h"
#include "print/model/heap/heapselect.h"
#include "print/model/plan.h"

enum {
    WORKERS_MAX = 8,
    WORTH_THREADS = 1 << 20, /* bytes of a file from which on a second worker pays */
};

/* The sums of one worker. */
struct part {
    struct grid node; /* by the experiment's node id */
    struct values *thread;
    struct values residual[RESIDUAL_PAUSED + 1]; /* by kind; 0 = other kinds */
    struct values *interval;
    struct values all; /* also of what does not pass the filter */
};

/* One file of one experiment. */
struct pass {
    struct session *session;
    struct experiment *experiment;
    u32 index;     /* the experiment's */
    bool filtered; /* the session has a filter */
    struct plan plan[SCHEMA_KINDS];
    struct bound_filter *filter[SCHEMA_KINDS]; /* NULL: all pass */
    u32 pseudo[RESIDUAL_PAUSED + 1]; /* stack nodes of residuals */
    u32 nowhere; /* stack node of WALL_NODE */
    struct part part[WORKERS_MAX];
    u32 workers;
    u32 nodes; /* and one more row of sums, of WALL_NODE */
    u32 threads;
    u64 *bound; /* record times that cut the intervals, NULL = no intervals */
    u32 nbounds;
};

int
tally_open(struct session *session)
{
    session->tally = calloc(1, sizeof(*session->tally));
    return session->tally ? 0 : -ENOMEM;
}

static void
forget(struct tally *tally)
{
    grid_close(&tally->node);
    for (u32 i = 0; i < tally->nexperiments; i++)
        free(tally->threads[i].value);
    free(tally->threads);
    heap_free(&tally->heap);
    tally->threads = NULL;
    tally->nexperiments = 0;
    tally->done = false;
}

void
tally_close(struct tally *tally)
{
    if (!tally)
        return;
    forget(tally);
    free(tally);
}

void
tally_reset(struct session *session)
{
    forget(session->tally);
    filters_reset(session->filter);
}

static u32
thread_slot(const struct experiment *e, u32 id)
{
    const struct thread_row *row = threads_find(&e->threads, id);

    return row ? (u32)(row - e->threads.row) + 1 : 0;
}

/* Which of the intervals holds a time; nbounds if none. */
static u32
interval_of(const struct pass *pass, u64 time)
{
    u32 lo = 0, hi = pass->nbounds;

    if (time < pass->bound[0] || time >= pass->bound[hi - 1])
        return pass->nbounds;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;

        if (pass->bound[mid] <= time)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* A record of an account, without a stack and a moment. */
static void
add_residual(struct pass *pass, struct part *part, const struct plan *plan,
             struct filter_event *event, const struct bound_filter *filter,
             struct values *thread)
{
    u64 kind = plan->kind < 0 ? 0 : event->row[plan->kind];

    if (pass->bound)
        return;
    if (kind > RESIDUAL_PAUSED)
        kind = 0;
    event->pseudo = true;
    event->stack = pass->pseudo[kind];
    if (!filterbind_ask(filter, event))
        return;
    plan_add(plan, event->row, &part->residual[kind]);
    /* What ran while recording was paused is not of the profile. */
    if (kind != RESIDUAL_PAUSED)
        plan_add(plan, event->row, thread);
}

static inline void
add_event(struct pass *pass, struct part *part, const struct plan *plan,
          struct filter_event *event, const struct bound_filter *filter,
          struct values *thread)
{
    const u64 *row = event->row;
    u64 node = row[plan->node];
    u32 at = node < pass->nodes ? (u32)node : 0;

    event->pseudo = node == WALL_NODE;
    event->stack = event->pseudo ? pass->nowhere : at;
    if (ER_UNLIKELY(event->pseudo))
        at = pass->nodes;
    if (ER_UNLIKELY(filter) && !filterbind_ask(filter, event))
        return;
    if (pass->bound) {
        at = plan->time < 0 ? pass->nbounds : interval_of(pass, row[plan->time]);
        if (at + 1 < pass->nbounds && !event->pseudo)
            plan_add(plan, row, &part->interval[at]);
        return;
    }
    plan_add_row(plan, row, &part->node, at);
    plan_add(plan, row, thread);
}

static u32
tid_of(const struct experiment *e, u32 slot)
{
    return slot ? e->threads.row[slot - 1].tid : 0;
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct pass *pass = context;
    const struct plan *plan = &pass->plan[batch->record->number];
    const struct bound_filter *filter = pass->filter[batch->record->number];
    struct part *part = &pass->part[batch->worker];
    u32 fields = batch->record->nfields, slot;
    struct filter_event event = { .thread = batch->thread };

    if (!plan->nterms)
        return;
    slot = thread_slot(pass->experiment, batch->thread);
    event.tid = tid_of(pass->experiment, slot);
    for (u32 i = 0; i < batch->count; i++) {
        event.row = batch->row + (u64)i * fields;
        if (pass->filtered)
            plan_add(plan, event.row, &part->all);
        if (plan->node < 0)
            add_residual(pass, part, plan, &event, filter, &part->thread[slot]);
        else
            add_event(pass, part, plan, &event, filter, &part->thread[slot]);
    }
}

static u32
workers_for(u64 size)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);

    if (size < WORTH_THREADS || cpus < 2)
        return 1;
    return cpus < WORKERS_MAX ? (u32)cpus : WORKERS_MAX;
}

static void
pass_close(struct pass *pass)
{
    for (u32 i = 0; i < WORKERS_MAX; i++) {
        grid_close(&pass->part[i].node);
        free(pass->part[i].thread);
        free(pass->part[i].interval);
    }
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        filterbind_free(pass->filter[i]);
    free(pass->bound);
}

static const enum pseudo_function residual_function[RESIDUAL_PAUSED + 1] = {
    FUNC_UNATTRIBUTED, FUNC_STARTUP, FUNC_EXIT, FUNC_UNATTRIBUTED, FUNC_UNATTRIBUTED,
};

static int
open_filters(struct pass *pass, const struct schema_file *schema)
{
    for (u32 i = 0; i <= RESIDUAL_PAUSED; i++)
        if (stacks_pseudo(pass->session, residual_function[i], &pass->pseudo[i]) < 0)
            return -ENOMEM;
    if (stacks_pseudo(pass->session, FUNC_WAIT, &pass->nowhere) < 0)
        return -ENOMEM;
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        const struct plan *plan = &pass->plan[i];

        if (plan->nterms &&
            filterbind(pass->session, pass->index, schema, &schema->record[i],
                       plan->node < 0, &pass->filter[i]) < 0)
            return -ENOMEM;
    }
    return 0;
}

/* Columns for all that the file's records can tell. */
static int
open_nodes(const struct pass *pass, struct part *part)
{
    grid_open(&part->node);
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        for (u32 k = 0; k < pass->plan[i].nterms; k++)
            if (grid_want(&part->node, (enum metric)pass->plan[i].term[k].metric) < 0)
                return -ENOMEM;
    return pass->bound ? 0 : grid_grow(&part->node, pass->nodes + 1);
}

static int
pass_open(struct pass *pass, const struct record_source *source)
{
    pass->nodes = pass->experiment->nodes.count + 1;
    pass->threads = pass->experiment->threads.count + 1;
    pass->workers = workers_for(source->size);
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        plan_make(&pass->plan[i], &source->schema->record[i],
                  &pass->experiment->counters);
    for (u32 i = 0; i < pass->workers; i++) {
        struct part *part = &pass->part[i];

        part->thread = calloc(pass->threads, sizeof(*part->thread));
        part->interval = calloc(pass->nbounds + 1, sizeof(*part->interval));
        if (!part->thread || !part->interval || open_nodes(pass, part) < 0)
            return -ENOMEM;
    }
    return open_filters(pass, source->schema);
}

/* Does any metric come from this file? */
static bool
has_metrics(const struct schema_file *schema, const struct counters *counters)
{
    struct plan plan;

    for (u32 i = 1; i < SCHEMA_KINDS; i++) {
        plan_make(&plan, &schema->record[i], counters);
        if (plan.nterms)
            return true;
    }
    return false;
}

int
tally_add_node(struct session *session, u32 node, const struct values *values)
{
    struct grid *grid = &session->tally->node;
    u32 more = grid->rows + grid->rows / 2, count = session->stacks->count;

    if (!values_any(values))
        return 0;
    if (node >= grid->rows && grid_grow(grid, more > count ? more : count) < 0)
        return -ENOMEM;
    return grid_add(grid, node, values);
}

static int
merge_nodes(struct session *session, u32 index, const struct pass *pass)
{
    for (u32 id = 0; id <= pass->nodes; id++) {
        struct values sum = { { 0 } };
        u32 node = pass->nowhere;

        for (u32 w = 0; w < pass->workers; w++)
            grid_add_to(&pass->part[w].node, id, &sum);
        if (!values_any(&sum))
            continue;
        if ((id < pass->nodes && stacks_of(session, index, id, &node) < 0) ||
            tally_add_node(session, node, &sum) < 0)
            return -ENOMEM;
    }
    return 0;
}

/*
 * A trace that was recorded without the clock does not tell which functions used CPU
 * time: of its accounts only the threads' are shown.
 */
bool
tally_tells_cpu(struct experiment *e)
{
    struct record_source source;

    for (int i = 0; i < TRACE_COUNT; i++)
        if (experiment_source(e, er_traces[i].file, &source) == 0)
            return experiment_clocked(e);
    return true;
}

static int
add_pseudo(struct session *session, u32 index, enum pseudo_function func,
           const struct values *values)
{
    u32 node;

    if (!values_any(values) || !tally_tells_cpu(session->experiment[index]))
        return 0;
    if (stacks_pseudo(session, func, &node) < 0)
        return -ENOMEM;
    return tally_add_node(session, node, values);
}

static int
merge_residuals(struct session *session, u32 index, const struct pass *pass)
{
    for (u32 w = 0; w < pass->workers; w++)
        for (u32 kind = 0; kind < RESIDUAL_PAUSED; kind++)
            if (add_pseudo(session, index, residual_function[kind],
                           &pass->part[w].residual[kind]) < 0)
                return -ENOMEM;
    return 0;
}

static void
merge_threads(struct tally_threads *threads, const struct pass *pass)
{
    for (u32 w = 0; w < pass->workers; w++)
        for (u32 i = 0; i < threads->count; i++)
            values_add(&threads->value[i], &pass->part[w].thread[i]);
}

/* Times become ns; counters that took turns what they would have counted alone. */
static int
scale_sums(struct pass *pass, const struct record_source *source)
{
    double factor[METRIC_COUNT], rate;

    if (experiment_clock(pass->experiment) < 0 ||
        experiment_totals(pass->experiment) < 0)
        return -ENOMEM;
    rate = clock_rate(&pass->experiment->clock) *
           (double)((u64)1 << source->schema->time_shift);
    if (!plan_factors(pass->plan, &pass->experiment->counters, rate, factor))
        return 0;
    for (u32 i = 0; i < pass->workers; i++) {
        grid_scale(&pass->part[i].node, factor);
        plan_scale(pass->part[i].thread, pass->threads, factor);
        plan_scale(pass->part[i].interval, pass->nbounds, factor);
    }
    return 0;
}

static int
scan(struct pass *pass, const struct record_source *source)
{
    struct record_sink sink = { on_batch, pass };
    int ret = pass_open(pass, source);

    if (ret == 0)
        ret = records_scan(source, &sink, pass->workers, NULL);
    if (ret == 0)
        ret = wall_feed(pass->experiment, source, &sink);
    return ret < 0 ? ret : scale_sums(pass, source);
}

/* What all records of a file say, whether they pass or not. */
static void
merge_recorded(const struct pass *pass, struct values *recorded)
{
    for (u32 w = 0; w < pass->workers; w++) {
        const struct part *part = &pass->part[w];

        values_add(recorded, pass->filtered ? &part->all
                                            : &part->residual[RESIDUAL_PAUSED]);
        for (u32 i = 0; i < pass->threads && !pass->filtered; i++)
            values_add(recorded, &part->thread[i]);
    }
}

static int
tally_file(struct session *session, u32 index, enum er_file file,
           struct values *recorded)
{
    struct tally *tally = session->tally;
    struct pass pass = {
        .session = session,
        .experiment = session->experiment[index],
        .index = index,
        .filtered = filter_is_set(session),
    };
    struct record_source source;
    int ret;

    if (experiment_source(pass.experiment, file, &source) < 0 ||
        !has_metrics(source.schema, &pass.experiment->counters))
        return 0;
    ret = scan(&pass, &source);
    if (ret == 0)
        ret = merge_nodes(session, index, &pass);
    if (ret == 0)
        ret = merge_residuals(session, index, &pass);
    if (ret == 0) {
        merge_threads(&tally->threads[index], &pass);
        merge_recorded(&pass, recorded);
    }
    pass_close(&pass);
    return ret;
}

/* Blocks are chosen by their beginnings. */
static int
tally_heap(struct session *session, u32 index)
{
    struct tally *tally = session->tally;
    struct bound_filter *filter;
    int ret = heapselect_bind(session, index, &filter);

    if (ret < 0)
        return ret;
    ret = heap_add(session, index, filter, tally->threads[index].value, &tally->heap);
    filterbind_free(filter);
    return ret;
}

static struct values
cpu_values(u64 user, u64 system)
{
    struct values values = { { 0 } };

    values.v[METRIC_user] = (int64_t)user;
    values.v[METRIC_system] = (int64_t)system;
    values.v[METRIC_total] = values.v[METRIC_totalcpu] = (int64_t)(user + system);
    return values;
}

/* A part of the process's account that is no thread's, if it passes the filter. */
static int
add_rest(struct session *session, u32 index, enum pseudo_function func,
         const struct values *values)
{
    struct tally_threads *threads;
    bool passes;
    u32 node;

    if (stacks_pseudo(session, func, &node) < 0 ||
        filterbind_pseudo(session, index, node, &passes) < 0)
        return -ENOMEM;
    if (!passes)
        return 0;
    threads = &session->tally->threads[index];
    values_add(&threads->value[0], values);
    values_add(func == FUNC_EXIT ? &threads->exit : &threads->rest, values);
    return add_pseudo(session, index, func, values);
}

/*
 * What the kernel accounts to the process and no record explains. Without an end the
 * kernel's figure is of the last look, which may be older than the last records: then
 * nothing is left.
 */
static int
close_account(struct session *session, u32 index, const struct values *recorded)
{
    const struct experiment *e = session->experiment[index];
    struct values exit, rest;

    if (!e->has_account)
        return 0;
    exit = cpu_values(e->exit_user, e->exit_system);
    rest = cpu_values(e->user - e->exit_user - (u64)recorded->v[METRIC_user],
                      e->system - e->exit_system - (u64)recorded->v[METRIC_system]);
    if (!e->final && rest.v[METRIC_totalcpu] < 0)
        return 0;
    reconcile_rest(&rest.v[METRIC_user], &rest.v[METRIC_system]);
    rest = cpu_values((u64)rest.v[METRIC_user], (u64)rest.v[METRIC_system]);
    if (add_rest(session, index, FUNC_EXIT, &exit) < 0)
        return -ENOMEM;
    return add_rest(session, index, FUNC_UNATTRIBUTED, &rest);
}

static int
tally_experiment(struct session *session, u32 index)
{
    struct tally *tally = session->tally;
    struct tally_threads *threads = &tally->threads[index];
    struct values recorded = { { 0 } };
    int ret = 0;

    threads->count = session->experiment[index]->threads.count + 1;
    threads->value = calloc(threads->count, sizeof(*threads->value));
    if (!threads->value)
        return -ENOMEM;
    for (u32 i = 0; i < FILE_COUNT && ret == 0; i++)
        ret = tally_file(session, index, i, &recorded);
    if (ret == 0)
        ret = tally_heap(session, index);
    return ret < 0 ? ret : close_account(session, index, &recorded);
}

int
tally_make(struct session *session)
{
    struct tally *tally = session->tally;
    int ret = 0;

    if (tally->done)
        return 0;
    forget(tally);
    tally->threads = calloc(session->nexperiments + 1, sizeof(*tally->threads));
    tally->heap.process = calloc(session->nexperiments + 1,
                                 sizeof(*tally->heap.process));
    if (!tally->threads || !tally->heap.process) {
        forget(tally);
        return -ENOMEM;
    }
    tally->nexperiments = tally->heap.nprocesses = session->nexperiments;
    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = tally_experiment(session, i);
    if (ret < 0)
        forget(tally);
    heap_settle(&tally->heap);
    tally->done = ret == 0;
    return ret;
}

static int
interval_file(struct pass *pass, enum er_file file,
              const u64 *bound, struct values *out)
{
    struct record_source source;
    u32 count = pass->nbounds;
    int ret;

    if (experiment_source(pass->experiment, file, &source) < 0 ||
        !has_metrics(source.schema, &pass->experiment->counters))
        return 0;
    pass->bound = calloc(count, sizeof(*pass->bound));
    if (!pass->bound)
        return -ENOMEM;
    for (u32 i = 0; i < count; i++)
        pass->bound[i] = filterbind_time(pass->experiment, bound[i],
                                         source.schema->time_shift);
    ret = scan(pass, &source);
    for (u32 w = 0; w < pass->workers && ret == 0; w++)
        for (u32 i = 0; i + 1 < count; i++)
            values_add(&out[i], &pass->part[w].interval[i]);
    return ret;
}

int
tally_intervals(struct session *session, u32 experiment, const u64 *bound,
                u32 count, struct values *out)
{
    struct experiment *e = session->experiment[experiment];
    int ret = experiment_clock(e);

    for (u32 i = 0; i < FILE_COUNT && ret == 0 && count > 1; i++) {
        struct pass pass = {
            .session = session,
            .experiment = e,
            .index = experiment,
            .nbounds = count,
        };

        ret = interval_file(&pass, i, bound, out);
        pass_close(&pass);
    }
    return ret;
}
