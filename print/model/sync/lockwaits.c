/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/lockwaits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/largest.h"
#include "print/model/symbols/stacks.h"
#include "print/model/sync/locks.h"
#include "print/model/pass/tracepass.h"

enum field {
    FIELD_TIME,
    FIELD_TOOK,
    FIELD_KIND,
    FIELD_OBJECT,
    FIELD_NODE,
    FIELD_HOLDER_NODE,
    FIELD_HOLDER,
};

static const struct trace_wish wish = {
    "wait", { "time", "took", "kind", "object", "node", "holder_node", "holder" }
};

/*
 * The longest waits of one experiment. Times are record times; nodes are the
 * experiment's ids.
 */
struct part {
    const struct experiment *experiment;
    u32 index;
    struct largest longest;
};

static int
by_time(const void *a, const void *b)
{
    const struct lock_wait *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct part *part = (struct part *)context + row->worker;
    const struct threads *threads = &part->experiment->threads;
    u64 took = trace_get(row, FIELD_TOOK);
    struct trace_share share = { took, true };
    struct lock_wait wait = {
        .experiment = part->index,
        .kind = lock_kind(trace_get(row, FIELD_KIND)),
        .end = trace_get(row, FIELD_TIME),
        .thread = row->slot ? threads->row[row->slot - 1].id : 0,
        .holder = (u32)trace_get(row, FIELD_HOLDER),
        .node = (u32)trace_get(row, FIELD_NODE),
        .holder_node = (u32)trace_get(row, FIELD_HOLDER_NODE),
    };

    if (!tracepass_share(row, took, &share))
        return;
    wait.time = share.took;
    wait.addr = lock_object(part->experiment, trace_get(row, FIELD_KIND),
                            trace_get(row, FIELD_OBJECT), wait.end);
    largest_add(&part->longest, &wait);
}

static int
add_part(struct session *session, struct part *part, double rate, struct largest *all)
{
    struct experiment *e = session->experiment[part->index];
    struct lock_wait *wait;

    largest_settle(&part->longest);
    wait = (struct lock_wait *)(void *)part->longest.item;
    for (u32 i = 0; i < part->longest.count; i++) {
        wait[i].time = clock_scaled(wait[i].time, rate);
        wait[i].end = tracescan_since(e, FILE_synctrace, wait[i].end);
        largest_add(all, &wait[i]);
    }
    all->seen += part->longest.seen - part->longest.count;
    return part->longest.no_memory ? -ENOMEM : 0;
}

static int
add_experiment(struct session *session, u32 index, struct largest *all, bool *recorded)
{
    struct part part[TRACE_WORKERS];
    const struct trace_sink sink = { &wish, 1, on_row, part };
    double rate;
    int ret = experiment_clock(session->experiment[index]);

    for (u32 i = 0; i < TRACE_WORKERS; i++)
        part[i] = (struct part){ session->experiment[index], index,
                                 { .size = sizeof(struct lock_wait),
                                   .wanted = all->wanted, .compare = by_time } };
    if (ret == 0)
        ret = tracepass_run(session, index, FILE_synctrace, &sink);
    if (ret == 0)
        ret = tracescan_rate(session->experiment[index], FILE_synctrace, &rate);
    *recorded |= ret == 0 || experiment_is_requested(session->experiment[index],
                                                     FILE_synctrace);
    ret = ret == -ENOENT ? 0 : ret;
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        if (part[i].longest.count && ret == 0)
            ret = add_part(session, &part[i], rate, all);
        free(part[i].longest.item);
    }
    return ret;
}

/* Replace the node ids of the waits that are kept by nodes of the session. */
static int
find_stacks(struct session *session, struct lock_wait *wait, u32 count)
{
    for (u32 i = 0; i < count; i++) {
        u32 node = wait[i].node, holder = wait[i].holder_node;

        if (stacks_of(session, wait[i].experiment, node, &wait[i].node) < 0 ||
            (holder && stacks_of(session, wait[i].experiment, holder,
                                 &wait[i].holder_node) < 0))
            return -ENOMEM;
    }
    return 0;
}

int
lockwaits_get(struct session *session, u32 most, struct lock_waits *out)
{
    struct largest all = { .size = sizeof(struct lock_wait), .wanted = most,
                           .compare = by_time };
    bool recorded = false;
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(session, i, &all, &recorded);
    largest_settle(&all);
    if (ret == 0 && all.no_memory)
        ret = -ENOMEM;
    if (ret == 0)
        ret = find_stacks(session, (struct lock_wait *)(void *)all.item, all.count);
    if (ret < 0) {
        free(all.item);
        return ret;
    }
    *out = (struct lock_waits){ recorded, (struct lock_wait *)(void *)all.item,
                                all.count, all.seen };
    return 0;
}

void
lockwaits_free(struct lock_waits *waits)
{
    free(waits->wait);
    memset(waits, 0, sizeof(*waits));
}
