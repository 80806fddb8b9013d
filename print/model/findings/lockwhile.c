/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/findings/lockwhile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/bins.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/frametext.h"
#include "print/model/pass/tracepass.h"
#include "share/record.h"

enum wait_field {
    WAIT_TIME,
    WAIT_TOOK,
    WAIT_KIND,
    WAIT_OBJECT,
    WAIT_HOLDER,
    WAIT_HOLDER_NODE,
};

static const struct trace_wish wait_wish = {
    "wait", { "time", "took", "kind", "object", "holder", "holder_node" },
};

enum call_field {
    CALL_TIME,
    CALL_TOOK,
    CALL_KIND,
    CALL_CALL,
    CALL_FILE,
    CALL_NODE,
};

/*
 * bin_key.what: the kind of call in the lowest bits, the call in the bits above them.
 */
enum {
    WHAT_KIND = 7,
    WHAT_CALL_SHIFT = 3,
};

static const struct trace_wish io_wish = {
    "io", { "time", "took", "kind", "call", "file", "node" },
};

/* A wait whose holder is known; times are ns from the start of the run. */
struct span {
    u64 begin, end;
    u64 reach; /* the latest end of this span and the spans before it */
    u32 holder;
    u32 node; /* the stack that acquired the lock: the experiment's own id */
};

/* What one worker finds. */
struct part {
    struct span *span;
    u32 spans, room;
    struct bins bins; /* by file, kind, call and stacks */
    bool no_memory;
};

struct search {
    struct session *session;
    struct experiment *experiment;
    const struct lock *lock;
    double wait_rate, io_rate;
    struct part *part; /* TRACE_WORKERS of them */
    struct span *span; /* by begin */
    u32 spans;
};

static void
on_wait(void *context, const struct trace_row *row)
{
    const struct search *s = context;
    struct part *part = &s->part[row->worker];
    u64 took = clock_scaled(trace_get(row, WAIT_TOOK), s->wait_rate);
    struct span span = {
        .end = tracescan_since(s->experiment, FILE_synctrace,
                               trace_get(row, WAIT_TIME)),
        .holder = (u32)trace_get(row, WAIT_HOLDER),
        .node = (u32)trace_get(row, WAIT_HOLDER_NODE),
    };

    if (trace_get(row, WAIT_OBJECT) != s->lock->addr || !span.holder || !span.node ||
        lock_kind(trace_get(row, WAIT_KIND)) != s->lock->kind ||
        !tracepass_accepts(row))
        return;
    span.begin = span.end > took ? span.end - took : 0;
    if (array_room(&part->span, &part->room, part->spans + 1, sizeof(span)) < 0)
        part->no_memory = true;
    else
        part->span[part->spans++] = span;
}

static int
by_begin(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Put all spans into one sorted array. 0, -ENOENT (there are none) or -ENOMEM. */
static int
gather(struct search *s)
{
    u32 count = 0;

    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        if (s->part[i].no_memory)
            return -ENOMEM;
        count += s->part[i].spans;
    }
    if (!count)
        return -ENOENT;
    s->span = malloc(count * sizeof(*s->span));
    if (!s->span)
        return -ENOMEM;
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        if (s->part[i].spans)
            memcpy(s->span + s->spans, s->part[i].span,
                   s->part[i].spans * sizeof(*s->span));
        s->spans += s->part[i].spans;
    }
    qsort(s->span, s->spans, sizeof(*s->span), by_begin);
    for (u32 i = 0; i < s->spans; i++) {
        struct span *span = &s->span[i];

        span->reach = span->end;
        if (i && span[-1].reach > span->reach)
            span->reach = span[-1].reach;
    }
    return 0;
}

/* The number of spans that begin before a moment. */
static u32
count_before(const struct search *s, u64 moment)
{
    u32 low = 0, high = s->spans;

    while (low < high) {
        u32 middle = low + (high - low) / 2;

        if (s->span[middle].begin < moment)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
on_io(void *context, const struct trace_row *row)
{
    struct search *s = context;
    const struct threads *threads = &s->experiment->threads;
    u64 end = tracescan_since(s->experiment, FILE_iotrace, trace_get(row, CALL_TIME));
    u64 took = clock_scaled(trace_get(row, CALL_TOOK), s->io_rate), common;
    u64 begin = end > took ? end - took : 0;
    struct bin_key key = { .object = trace_get(row, CALL_FILE),
                           .node = (u32)trace_get(row, CALL_NODE),
                           .what = (u32)trace_get(row, CALL_KIND) |
                                   (u32)trace_get(row, CALL_CALL)
                                       << WHAT_CALL_SHIFT };
    u32 thread = row->slot && row->slot <= threads->count
                     ? threads->row[row->slot - 1].id
                     : 0;

    if (!thread || !key.object)
        return;
    for (u32 i = count_before(s, end); i-- > 0 && s->span[i].reach > begin;) {
        const struct span *span = &s->span[i];

        if (span->holder != thread || span->end <= begin)
            continue;
        common = (span->end < end ? span->end : end) -
                 (span->begin > begin ? span->begin : begin);
        key.other = span->node;
        bins_add(&s->part[row->worker].bins, &key, 0, common, end);
    }
}

/*
 * Get the function in which the lock was acquired. node: that stack, as an id of
 * experiment `index`. 0 = not known.
 */
static u32
function_of(const struct search *s, u32 index, u32 node)
{
    struct stack_frame frame;
    u32 own;

    if (stacks_of(s->session, index, node, &own) < 0 ||
        frametext_place(s->session, own, &frame) < 0)
        return 0;
    return frame.func;
}

static bool
is_below(const struct search *s, u32 index, u32 node, u32 function)
{
    struct stack_frame *frames;
    bool found = false;
    u32 count, own;

    if (!function || stacks_of(s->session, index, node, &own) < 0 ||
        frames_of(s->session, own, &frames, &count) < 0)
        return false;
    for (u32 i = 0; i < count && !found; i++)
        found = frames[i].func == function;
    free(frames);
    return found;
}

/*
 * Add up a file's `count` bins, but only those whose calls were made below the function
 * that took the lock. kind and call are those of the bin with most time.
 */
static void
add_file(struct search *s, const struct bin *bin, u32 count, struct lockwhile *file)
{
    u32 index = s->lock->experiment;
    u64 most = 0;

    for (u32 i = 0; i < count; i++) {
        u32 taken = function_of(s, index, bin[i].key.other);

        if (!is_below(s, index, bin[i].key.node, taken))
            continue;
        file->time += bin[i].time;
        if (bin[i].time <= most)
            continue;
        most = bin[i].time;
        file->kind = bin[i].key.what & WHAT_KIND;
        file->call = bin[i].key.what >> WHAT_CALL_SHIFT;
    }
}

/* Choose the file with the most time in the holders' I/O. */
static int
choose(struct search *s, struct bins *bins, struct lockwhile *out)
{
    struct lockwhile best = { 0 };

    bins_sort(bins);
    for (u32 i = 0, next; i < bins->count; i = next) {
        struct lockwhile file = { .file = (u32)bins->bin[i].key.object };

        for (next = i; next < bins->count; next++)
            if (bins->bin[next].key.object != file.file)
                break;
        add_file(s, &bins->bin[i], next - i, &file);
        if (file.time > best.time)
            best = file;
    }
    if (!best.time)
        return -ENOENT;
    *out = best;
    return 0;
}

static int
run(struct search *s, struct lockwhile *out)
{
    struct trace_sink waits = { &wait_wish, 1, on_wait, s };
    struct trace_sink calls = { &io_wish, 1, on_io, s };
    u32 index = s->lock->experiment;
    int ret;

    if (tracescan_rate(s->experiment, FILE_synctrace, &s->wait_rate) < 0 ||
        tracescan_rate(s->experiment, FILE_iotrace, &s->io_rate) < 0)
        return -ENOMEM;
    ret = tracepass_run(s->session, index, FILE_synctrace, &waits);
    if (ret == 0)
        ret = gather(s);
    if (ret == 0)
        ret = tracepass_run(s->session, index, FILE_iotrace, &calls);
    for (u32 i = 1; i < TRACE_WORKERS && ret == 0; i++)
        bins_merge(&s->part[0].bins, &s->part[i].bins);
    if (ret == 0 && s->part[0].bins.no_memory)
        ret = -ENOMEM;
    return ret == 0 ? choose(s, &s->part[0].bins, out) : ret;
}

int
lockwhile_get(struct session *session, const struct lock *lock,
              struct lockwhile *out)
{
    struct search s = {
        .session = session,
        .experiment = session->experiment[lock->experiment],
        .lock = lock,
        .part = calloc(TRACE_WORKERS, sizeof(*s.part)),
    };
    int ret = s.part ? run(&s, out) : -ENOMEM;

    for (u32 i = 0; i < TRACE_WORKERS && s.part; i++) {
        free(s.part[i].span);
        bins_free(&s.part[i].bins);
    }
    free(s.part);
    free(s.span);
    return ret;
}
