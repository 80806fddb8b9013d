/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/call/callbuild.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/load/clock.h"
#include "print/model/pass/tracepass.h"

enum wish {
    WISH_CALL,
    WISH_TEXT,
    WISH_CALLEE,
    WISH_PENDING,
    WISHES,
};

static const struct trace_wish wishes[WISHES] = {
    { "call", { "time", "took", "function", "node", "end", "error", "values" } },
    CALLS_TEXT_WISH,
    CALLS_CALLEE_WISH,
    /* The fields have the same order as those of a call; "" where there is none. */
    { "pending", { "time", "took", "function", "node", "", "", "values", "thread" } },
};

struct part {
    struct call_made *made;
    u64 count;
    u32 room;
    bool no_memory;
};

struct scan {
    struct callee_reader reader;
    double rate;
    struct experiment *e;
    pthread_mutex_t lock;
    struct part part[TRACE_WORKERS];
};

static void
on_call(struct scan *s, const struct trace_row *row)
{
    struct part *p = &s->part[row->worker];
    struct trace_share share;
    struct call_made made = { .experiment = s->reader.experiment, .slot = row->slot };

    if (!tracepass_share(row, trace_get(row, 1), &share) || !share.counts)
        return;
    if (p->count >= UINT32_MAX ||
        array_room(&p->made, &p->room, (u32)p->count + 1, sizeof(made)) < 0) {
        p->no_memory = true;
        return;
    }
    made.since = trace_get(row, 0);
    made.took = trace_get(row, 1);
    made.name = (u32)trace_get(row, 2);
    made.node = (u32)trace_get(row, 3);
    made.end = (u32)trace_get(row, 4);
    made.error = (u32)trace_get(row, 5);
    made.values = trace_text(row, 6);
    if (row->wish == WISH_PENDING) {
        made.end = CALL_NOT_ENDED;
        made.slot = tracescan_slot(row, (u32)trace_get(row, 7));
    }
    p->made[p->count++] = made;
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct scan *s = context;

    if (row->wish == WISH_CALL || row->wish == WISH_PENDING) {
        on_call(s, row);
        return;
    }
    pthread_mutex_lock(&s->lock);
    if (row->wish == WISH_TEXT)
        calls_read_text(&s->reader, row);
    else
        calls_read_callee(&s->reader, row);
    pthread_mutex_unlock(&s->lock);
}

/*
 * Convert times to ns, and ids of callees to names; a callee without a name is
 * "<unknown>".
 */
static int
add_made(struct scan *s, const struct part *p)
{
    struct calls *c = s->reader.calls;

    for (u64 i = 0; i < p->count; i++) {
        struct call_made *to = &c->made[c->count];
        const struct callee *callee = calls_callee(&s->reader, p->made[i].name);

        *to = p->made[i];
        to->name = callee ? callee->name
                          : calls_name(&s->reader, (struct er_str){ "<unknown>", 9 });
        to->since = tracescan_since(s->e, FILE_calltrace, to->since);
        to->took = clock_scaled(to->took, s->rate);
        c->count++;
    }
    return s->reader.no_memory ? -ENOMEM : 0;
}

static int
gather(struct scan *s)
{
    struct calls *c = s->reader.calls;
    u64 more = 0;
    struct call_made *longer;
    int ret = s->reader.no_memory ? -ENOMEM : 0;

    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        more += s->part[i].count;
        if (s->part[i].no_memory)
            ret = -ENOMEM;
    }
    longer = realloc(c->made, (c->count + more + 1) * sizeof(*c->made));
    if (!longer)
        return -ENOMEM;
    c->made = longer;
    calls_sort_callees(&s->reader);
    for (u32 i = 0; i < TRACE_WORKERS && ret == 0; i++)
        ret = add_made(s, &s->part[i]);
    for (u32 i = 0; i < s->reader.callees && ret == 0; i++)
        c->name[s->reader.callee[i].name].slots += s->reader.callee[i].slots;
    return ret;
}

static int
scan_one(struct session *session, struct scan *s)
{
    struct trace_sink sink = { wishes, WISHES, on_row, s };
    int ret = tracescan_rate(s->e, FILE_calltrace, &s->rate);

    if (ret == 0)
        ret = tracepass_run(session, s->reader.experiment, FILE_calltrace, &sink);
    if (ret == 0) {
        s->reader.calls->recorded = true;
        ret = gather(s);
    } else if (ret == -ENOENT) {
        s->reader.calls->recorded |= experiment_is_requested(s->e, FILE_calltrace);
        ret = 0;
    }
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        free(s->part[i].made);
        s->part[i] = (struct part){ 0 };
    }
    s->reader.callees = 0;
    return ret;
}

static int
compare_made(const void *a, const void *b)
{
    const struct call_made *x = a, *y = b;

    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return x->took < y->took ? -1 : x->took > y->took;
}

/*
 * Set `self`. Calls are sorted by their ends, so the calls within a call come right
 * before it. `open` is a stack of the calls that are not yet known to be within another
 * one.
 */
static int
find_self(struct calls *c)
{
    u64 *open = malloc((c->count + 1) * sizeof(*open));
    u64 depth = 0;

    if (!open)
        return -ENOMEM;
    for (u64 i = 0; i < c->count; i++) {
        struct call_made *m = &c->made[i];
        u64 begin = m->since - (m->took < m->since ? m->took : m->since);

        m->self = m->took;
        while (depth) {
            const struct call_made *inner = &c->made[open[depth - 1]];

            if (inner->experiment != m->experiment || inner->slot != m->slot ||
                inner->since - inner->took < begin)
                break;
            m->self -= inner->took < m->self ? inner->took : m->self;
            depth--;
        }
        if (depth && (c->made[open[depth - 1]].experiment != m->experiment ||
                      c->made[open[depth - 1]].slot != m->slot))
            depth = 0;
        open[depth++] = i;
    }
    free(open);
    return 0;
}

int
callbuild(struct session *session, struct calls *out)
{
    struct scan s = { .reader.calls = out, .lock = PTHREAD_MUTEX_INITIALIZER };
    int ret = 0;

    *out = (struct calls){ 0 };
    for (u32 i = 0; i < session->nexperiments && ret == 0; i++) {
        s.reader.experiment = i;
        s.e = session->experiment[i];
        ret = scan_one(session, &s);
    }
    free(s.reader.callee);
    if (ret == 0 && out->count > 1)
        qsort(out->made, out->count, sizeof(*out->made), compare_made);
    calls_sort_texts(out);
    if (ret == 0)
        ret = find_self(out);
    if (ret < 0)
        calls_free(out);
    return ret;
}
