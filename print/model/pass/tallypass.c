/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/pass/tallypass.h"

#include <errno.h>
#include <stdlib.h>

#include "print/load/wall.h"

const enum pseudo_function tally_residual_function[RESIDUAL_PAUSED + 1] = {
    FUNC_UNATTRIBUTED, FUNC_STARTUP, FUNC_EXIT, FUNC_UNATTRIBUTED, FUNC_UNATTRIBUTED,
};

/* The index of the interval that contains a time; nbounds if none does. */
static u32
interval_of(const struct tally_pass *pass, u64 time)
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

enum {
    AHEAD = 8, /* by how many records sums are prefetched */
};

/* How to filter the records of a batch, and the sums to which they are added. */
struct adding {
    struct tally_part *part;
    const struct plan *plan;
    const struct bound_filter *filter;
    struct values *thread;
    u32 slot;
    u32 worker;
};

/* Add a residual, which has neither a stack nor a time, so that no interval has it. */
static void
add_residual(struct tally_pass *pass, const struct adding *to,
             struct filter_event *event)
{
    const struct plan *plan = to->plan;
    u64 kind = plan->kind < 0 ? 0 : event->row[plan->kind];

    if (pass->bound)
        return;
    if (kind > RESIDUAL_PAUSED)
        kind = 0;
    event->pseudo = true;
    event->stack = pass->pseudo[kind];
    if (!filterbind_accepts(to->filter, event))
        return;
    plan_add(plan, event->row, &to->part->residual[kind]);
    /* CPU time used while recording was paused is not part of the profile. */
    if (kind != RESIDUAL_PAUSED)
        plan_add(plan, event->row, to->thread);
}

/* Add a piece of an event (NULL = the whole event), if it passes the filter. */
static inline void
add_piece(const struct tally_pass *pass, const struct adding *to,
          struct filter_event *event, u32 node, const struct piece *piece)
{
    const struct plan *plan = to->plan;
    const u64 *row = event->row;

    event->moment = piece ? &piece->moment : NULL;
    if (ER_UNLIKELY(to->filter) && !filterbind_accepts(to->filter, event))
        return;
    if (pass->bound) {
        u64 moment = piece ? piece->moment : plan->time < 0 ? 0 : row[plan->time];
        u32 at = plan->time < 0 ? pass->nbounds : interval_of(pass, moment);

        if (at + 1 < pass->nbounds && !event->pseudo)
            plan_add_piece(plan, row, piece, &to->part->interval[at]);
        return;
    }
    if (ER_UNLIKELY(plan_add_row(plan, row, piece, &to->part->node, node) < 0))
        to->part->no_memory = true;
    plan_add_piece(plan, row, piece, to->thread);
}

static inline void
add_event(struct tally_pass *pass, const struct adding *to, struct filter_event *event)
{
    u64 node = event->row[to->plan->node];
    u32 at = node < pass->nodes ? (u32)node : 0;
    const struct slicer *s = NULL;

    event->pseudo = node == WALL_NODE;
    event->stack = event->pseudo ? pass->nowhere : at;
    if (ER_UNLIKELY(event->pseudo))
        at = pass->nodes;
    if (ER_UNLIKELY(pieces_any(&pass->pieces)))
        s = pieces_cut(&pass->pieces, to->plan, event->row, to->slot, to->worker);
    if (!s)
        add_piece(pass, to, event, at, NULL);
    for (u32 i = 0; s && i < s->count; i++)
        add_piece(pass, to, event, at, &s->piece[i]);
}

static u32
tid_of(const struct experiment *e, u32 slot)
{
    return slot ? e->threads.row[slot - 1].tid : 0;
}

/* Prefetch the sums to which record `at` of the batch will be added. */
static inline void
expect(const struct tally_pass *pass, const struct adding *to,
       const struct batch *batch, u32 at)
{
    u64 node;

    if (to->plan->node < 0 || at >= batch->count)
        return;
    node = batch->row[(u64)at * batch->record->nfields + (u32)to->plan->node];
    if (node < pass->nodes)
        ER_PREFETCH(grid_row(&to->part->node, (u32)node));
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct tally_pass *pass = context;
    const struct plan *plan = &pass->plan[batch->record->number];
    struct tally_part *part = &pass->part[batch->worker];
    u32 fields = batch->record->nfields;
    struct filter_event event = { .thread = batch->thread };
    struct adding to = {
        .part = part,
        .plan = plan,
        .filter = pass->filter[batch->record->number],
        .worker = batch->worker,
    };

    if (!plan->nterms)
        return;
    to.slot = threads_slot(&pass->experiment->threads, batch->thread);
    to.thread = &part->thread[to.slot];
    event.tid = tid_of(pass->experiment, to.slot);
    for (u32 i = 0; i < batch->count; i++) {
        event.row = batch->row + (u64)i * fields;
        expect(pass, &to, batch, i + AHEAD);
        if (pass->filtered)
            plan_add(plan, event.row, &part->all);
        if (plan->node < 0)
            add_residual(pass, &to, &event);
        else
            add_event(pass, &to, &event);
    }
}

void
tallypass_close(struct tally_pass *pass)
{
    for (u32 i = 0; i < TALLY_WORKERS; i++) {
        grid_close(&pass->part[i].node);
        free(pass->part[i].thread);
        free(pass->part[i].interval);
    }
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        filterbind_free(pass->filter[i]);
    pieces_close(&pass->pieces);
    free(pass->bound);
}

static int
open_filters(struct tally_pass *pass, const struct schema_file *schema)
{
    for (u32 i = 0; i <= RESIDUAL_PAUSED; i++)
        if (stacks_pseudo(pass->session, tally_residual_function[i],
                          &pass->pseudo[i]) < 0)
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

static int
open_nodes(const struct tally_pass *pass, struct tally_part *part)
{
    grid_open(&part->node);
    return pass->bound ? 0 : grid_grow(&part->node, pass->nodes + 1);
}

/*
 * Prepare to cut events that have a duration: where the filter's value may change, and
 * where intervals begin and end. 0 or -ENOMEM.
 */
static int
open_pieces(struct tally_pass *pass, const struct record_source *source)
{
    int ret = 0;

    for (u32 i = 0; i < SCHEMA_KINDS && ret == 0; i++)
        ret = pieces_add(&pass->pieces, pass->filter[i]);
    for (u32 i = 0; i < pass->nbounds && ret == 0; i++)
        ret = cuts_add(&pass->pieces.cuts, pass->bound[i]);
    if (ret == 0)
        ret = pieces_open(&pass->pieces, pass->experiment, source);
    return ret;
}

static int
open_parts(struct tally_pass *pass, const struct record_source *source)
{
    pass->nodes = pass->experiment->nodes.count + 1;
    pass->threads = pass->experiment->threads.count + 1;
    pass->workers = scan_workers(source, TALLY_WORKERS);
    for (u32 i = 0; i < SCHEMA_KINDS; i++)
        plan_make(&pass->plan[i], &source->schema->record[i],
                  &pass->experiment->counters);
    for (u32 i = 0; i < pass->workers; i++) {
        struct tally_part *part = &pass->part[i];

        part->thread = calloc(pass->threads, sizeof(*part->thread));
        part->interval = calloc(pass->nbounds + 1, sizeof(*part->interval));
        if (!part->thread || !part->interval || open_nodes(pass, part) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int
pass_open(struct tally_pass *pass, const struct record_source *source)
{
    int ret = open_parts(pass, source);

    if (ret == 0)
        ret = open_filters(pass, source->schema);
    return ret < 0 ? ret : open_pieces(pass, source);
}

/*
 * Convert sums of times to ns; scale up counters that were multiplexed. 0 or -ENOMEM.
 */
static int
scale_sums(struct tally_pass *pass, const struct record_source *source)
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

int
tallypass_scan(struct tally_pass *pass, const struct record_source *source)
{
    struct record_sink sink = { on_batch, pass, false };
    int ret = pass_open(pass, source);

    if (ret == 0)
        ret = records_scan(source, &sink, pass->workers, NULL);
    if (ret == 0)
        ret = wall_feed(pass->experiment, source, &sink);
    for (u32 i = 0; i < pass->workers && ret == 0; i++)
        ret = pass->part[i].no_memory ? -ENOMEM : 0;
    if (ret == 0 && pieces_no_memory(&pass->pieces))
        ret = -ENOMEM;
    return ret < 0 ? ret : scale_sums(pass, source);
}

