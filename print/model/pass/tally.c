/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/pass/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/filter/filterbind.h"
#include "print/model/filter/filters.h"
#include "print/model/heap/heapscan.h"
#include "print/model/heap/heapselect.h"
#include "print/model/recorded.h"
#include "print/model/pass/tallypass.h"

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
    tally->done = 0;
}

/* Forget the accounts kept by views/account.c; each is a single allocation. */
static void
forget_accounts(struct tally *tally)
{
    for (u32 i = 0; i < tally->naccounts; i++)
        free(tally->account[i]);
    free(tally->account);
    tally->account = NULL;
    tally->naccounts = tally->account_room = 0;
}

void
tally_close(struct tally *tally)
{
    if (!tally)
        return;
    forget(tally);
    forget_accounts(tally);
    free(tally);
}

void
tally_reset(struct session *session)
{
    forget(session->tally);
    forget_accounts(session->tally);
}

/* Does the file have records from which a metric is computed? */
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

static int
merge_nodes(struct session *session, u32 index, const struct tally_pass *pass)
{
    for (u32 id = 0; id <= pass->nodes; id++) {
        struct values sum = { { 0 } };
        u32 node = pass->nowhere;

        for (u32 w = 0; w < pass->workers; w++)
            grid_add_to(&pass->part[w].node, id, &sum);
        if (!values_any(&sum))
            continue;
        if ((id < pass->nodes && stacks_of(session, index, id, &node) < 0) ||
            stacks_add(session, &session->tally->node, node, &sum) < 0)
            return -ENOMEM;
    }
    return 0;
}

/*
 * If this is false, add_pseudo() leaves CPU time out of the functions: it is shown by
 * thread only.
 */
bool
tally_has_cpu(struct experiment *e)
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

    if (!values_any(values) || !tally_has_cpu(session->experiment[index]))
        return 0;
    if (stacks_pseudo(session, func, &node) < 0)
        return -ENOMEM;
    return stacks_add(session, &session->tally->node, node, values);
}

static int
merge_residuals(struct session *session, u32 index, const struct tally_pass *pass)
{
    for (u32 w = 0; w < pass->workers; w++)
        for (u32 kind = 0; kind < RESIDUAL_PAUSED; kind++)
            if (add_pseudo(session, index, tally_residual_function[kind],
                           &pass->part[w].residual[kind]) < 0)
                return -ENOMEM;
    return 0;
}

static void
merge_threads(struct tally_threads *threads, const struct tally_pass *pass)
{
    for (u32 w = 0; w < pass->workers; w++)
        for (u32 i = 0; i < threads->count; i++)
            values_add(&threads->value[i], &pass->part[w].thread[i]);
}

/*
 * Add the sums of all records of a file, including records that do not pass the filter.
 */
static void
merge_recorded(const struct tally_pass *pass, struct values *recorded)
{
    for (u32 w = 0; w < pass->workers; w++) {
        const struct tally_part *part = &pass->part[w];

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
    struct tally_pass pass = {
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
    ret = tallypass_scan(&pass, &source);
    if (ret == 0)
        ret = merge_nodes(session, index, &pass);
    if (ret == 0)
        ret = merge_residuals(session, index, &pass);
    if (ret == 0) {
        merge_threads(&tally->threads[index], &pass);
        merge_recorded(&pass, recorded);
    }
    tallypass_close(&pass);
    return ret;
}

/*
 * Add the heap's sums. A block counts if its beginning passes the filter. 0 or -errno.
 */
static int
add_heap(struct session *session, u32 index)
{
    struct tally *tally = session->tally;
    struct bound_filter *filter;
    int ret = heapselect_bind(session, index, &filter);

    if (ret < 0)
        return ret;
    ret = heap_add(session, index, filter, &tally->node, tally->threads[index].value,
                   &tally->heap);
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

/*
 * Add CPU time of the process that belongs to no thread, as a pseudo function, if the
 * pseudo function passes the filter. 0 or -ENOMEM.
 */
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
 * Add the CPU time that the kernel has counted for the process and that no record has.
 * If the account is not final, it may be older than the last records, and so less than
 * their sum: then nothing is added. 0 or -ENOMEM.
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

/* Free the memory of files: those of thousands of experiments could not all stay. */
static void
forget_files(const struct experiment *e)
{
    for (u32 i = 0; i < FILE_COUNT; i++)
        datafile_forget(&e->file[i]);
}

/* Sum up the files in `wanted` (a bit for each), none of which was read before. */
static int
tally_experiment(struct session *session, u32 index, u32 wanted)
{
    struct tally *tally = session->tally;
    struct tally_threads *threads = &tally->threads[index];
    struct values recorded = { { 0 } };
    int ret = 0;

    if (!threads->value) {
        threads->count = session->experiment[index]->threads.count + 1;
        threads->value = calloc(threads->count, sizeof(*threads->value));
    }
    if (!threads->value)
        return -ENOMEM;
    for (u32 i = 0; i < FILE_COUNT && ret == 0; i++)
        if (wanted & 1u << i)
            ret = tally_file(session, index, i, &recorded);
    if (ret == 0 && wanted & 1u << FILE_heaptrace)
        ret = add_heap(session, index);
    if (ret == 0 && wanted & 1u << FILE_profile)
        ret = close_account(session, index, &recorded);
    forget_files(session->experiment[index]);
    return ret;
}

static int
begin(struct tally *tally, u32 experiments)
{
    forget(tally);
    tally->threads = calloc(experiments + 1, sizeof(*tally->threads));
    tally->heap.process = calloc(experiments + 1, sizeof(*tally->heap.process));
    if (!tally->threads || !tally->heap.process) {
        forget(tally);
        return -ENOMEM;
    }
    tally->nexperiments = tally->heap.nprocesses = experiments;
    return 0;
}

int
tally_make(struct session *session)
{
    struct tally *tally = session->tally;
    u32 wanted = session->wanted & ~tally->done;
    int ret = tally->done ? 0 : begin(tally, session->nexperiments);

    for (u32 i = 0; i < session->nexperiments && ret == 0 && wanted; i++)
        ret = tally_experiment(session, i, wanted);
    if (ret < 0) {
        forget(tally);
        return ret;
    }
    if (wanted & 1u << FILE_heaptrace)
        heap_settle(&tally->heap);
    tally->done |= wanted;
    return 0;
}

static int
copy_wanted(const struct session *session, struct grid *out)
{
    const struct grid *all = &session->tally->node;
    struct grid some;
    int ret = 0;

    grid_open(&some);
    for (u32 i = 0; i < all->width && ret == 0; i++)
        if (recorded_files((enum metric)all->metric[i]) & session->wanted)
            ret = grid_want(&some, (enum metric)all->metric[i]);
    if (ret == 0)
        ret = grid_grow(&some, all->rows);
    for (u32 i = 0; i < some.rows && ret == 0; i++) {
        const int64_t *from = grid_row(all, i);
        int64_t *to = grid_row(&some, i);

        for (u32 k = 0; k < some.width; k++)
            to[k] = from[all->column[some.metric[k]]];
    }
    if (ret < 0)
        grid_close(&some);
    else
        *out = some;
    return ret;
}

int
tally_wanted(const struct session *session, struct grid **out)
{
    struct grid *some = NULL;
    int ret = 0;

    if (session->tally->done & ~session->wanted) {
        some = malloc(sizeof(*some));
        ret = some ? copy_wanted(session, some) : -ENOMEM;
    }
    if (ret < 0)
        free(some);
    else
        *out = some;
    return ret;
}

static int
interval_file(struct tally_pass *pass, enum er_file file,
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
        pass->bound[i] = clock_first(&pass->experiment->clock, bound[i],
                                         source.schema->time_shift);
    ret = tallypass_scan(pass, &source);
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
        struct tally_pass pass = {
            .session = session,
            .experiment = e,
            .index = experiment,
            .nbounds = count,
        };

        ret = interval_file(&pass, i, bound, out);
        tallypass_close(&pass);
    }
    return ret;
}

int
tally_heap(struct session *session, const struct heap **out)
{
    u32 wanted = session->wanted;
    int ret;

    session->wanted = 1u << FILE_heaptrace;
    ret = tally_make(session);
    session->wanted = wanted;
    if (ret == 0)
        *out = &session->tally->heap;
    return ret;
}
