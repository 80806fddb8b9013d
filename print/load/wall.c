/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/wall.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORKERS_MAX = 8,
};

/* Sums of a thread's records, ns. */
struct thread_sums {
    u64 all; /* time in which it did not run */
    u64 delay; /* part of `all`: waiting for a processor */
};

struct feeding {
    struct experiment *experiment;
    const struct schema_record *record; /* that of `off` */
    const struct record_sink *sink;
    struct thread_sums *thread_sums; /* by index in threads.row */
    int time, node, mstate, weight; /* indices of fields in a row */
    u64 row[SCHEMA_FIELDS_MAX];
};

bool
wall_is_there(const struct experiment *e)
{
    const char *wall = log_fact(&e->log, "collect", "wall");

    return wall && strcmp(wall, "0") != 0;
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct feeding *f = context;
    const struct threads *threads = &f->experiment->threads;
    const struct thread_row *thread = threads_find(threads, batch->thread);
    struct thread_sums *thread_sums, sum = { 0 };

    if (batch->record != f->record || !thread)
        return;
    for (u32 i = 0; i < batch->count; i++) {
        const u64 *row = batch->row + (u64)i * batch->record->nfields;

        sum.all += row[f->weight];
        if (row[f->mstate] == MSTATE_WAIT)
            sum.delay += row[f->weight];
    }
    thread_sums = &f->thread_sums[thread - threads->row];
    __atomic_fetch_add(&thread_sums->all, sum.all, __ATOMIC_RELAXED);
    __atomic_fetch_add(&thread_sums->delay, sum.delay, __ATOMIC_RELAXED);
}

static int
find_fields(struct feeding *f)
{
    const struct {
        const char *name;
        int *field;
    } all[] = { { "time", &f->time }, { "node", &f->node },
                { "mstate", &f->mstate }, { "weight", &f->weight } };

    for (u32 i = 0; i < ER_COUNT(all); i++) {
        *all[i].field = schema_find_number(f->record, all[i].name);
        if (*all[i].field < 0)
            return -EINVAL;
    }
    return 0;
}

static u64
less(u64 a, u64 b)
{
    return a > b ? a - b : 0;
}

static u64
least(u64 a, u64 b)
{
    return a < b ? a : b;
}

/*
 * Pass a record of `ns`, cut to *rest, to the sink, unless that is 0; subtract it from
 * *rest.
 */
static void
pass_record(struct feeding *f, u32 thread, u32 node, u32 state, u64 ns, u64 *rest)
{
    struct batch batch = { .record = f->record, .thread = thread, .count = 1,
                           .row = f->row };

    ns = least(ns, *rest);
    if (!ns)
        return;
    *rest -= ns;
    f->row[f->node] = node;
    f->row[f->mstate] = state;
    f->row[f->weight] = ns;
    f->sink->batch(f->sink->context, &batch);
}

static void
feed_thread(struct feeding *f, const struct thread_row *t,
            const struct thread_sums *thread_sums)
{
    const struct experiment *e = f->experiment;
    u64 end = t->death ? t->death : e->end_mono;
    u64 known = less(t->cpu_last, t->cpu_birth) + thread_sums->all;
    u64 rest = less(less(end, t->birth), known);
    u64 delay = less(less(t->delay_last, t->delay_birth), thread_sums->delay);

    if (!t->birth || !t->tid || !rest)
        return;
    f->row[f->time] = clock_first(&e->clock, end, 0);
    /*
     * The state that ended last is passed first: sinks that divide time rely on that.
     */
    if (t->wait_since && !t->death && t->wait_state < MSTATE_COUNT) {
        u64 waited = less(end, clock_mono(&e->clock, t->wait_since));

        waited = least(waited, less(rest, delay));
        pass_record(f, t->id, t->wait_node ? t->wait_node : WALL_NODE, t->wait_state,
                    waited, &rest);
    }
    pass_record(f, t->id, WALL_NODE, MSTATE_WAIT, delay, &rest);
    pass_record(f, t->id, WALL_NODE, MSTATE_SLEEP, rest, &rest);
}

int
wall_feed(struct experiment *e, const struct record_source *source,
          const struct record_sink *sink)
{
    struct feeding f = { .experiment = e, .sink = sink };
    struct record_sink summing = { on_batch, &f, false };
    int ret;

    f.record = schema_find_record(source->schema, "off");
    if (!f.record || !wall_is_there(e) || find_fields(&f) < 0)
        return 0;
    f.thread_sums = calloc((size_t)e->threads.count + 1, sizeof(*f.thread_sums));
    ret = f.thread_sums ? experiment_clock(e) : -ENOMEM;
    if (ret == 0)
        ret = records_scan(source, &summing, scan_workers(source, WORKERS_MAX),
                           NULL);
    for (u32 i = 0; i < e->threads.count && ret == 0; i++)
        feed_thread(&f, &e->threads.row[i], &f.thread_sums[i]);
    free(f.thread_sums);
    return ret;
}
