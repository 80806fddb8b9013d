/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/io/ioscan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/pass/tracepass.h"

enum wish {
    WISH_IO,
    WISH_FILE,
    WISHES,
};

enum field {
    FIELD_TIME,
    FIELD_TOOK,
    FIELD_CALL,
    FIELD_KIND,
    FIELD_ERROR,
    FIELD_BYTES,
    FIELD_FILE,
    FIELD_NODE,
    /* Of the record `file`. */
    FIELD_ID = 1,
    FIELD_FD,
    FIELD_HOW = 4,
    FIELD_FSTYPE,
    FIELD_NAME,
};

static const struct trace_wish wishes[WISHES] = {
    { "io", { "time", "took", "call", "kind", "error", "bytes", "file", "node" } },
    { "file", { "time", "id", "fd", "kind", "how", "fstype", "name" } },
};

struct scan {
    u32 want;
    double rate;
    struct io_part *part; /* TRACE_WORKERS of them */
};

static enum io_class
class_of(u64 kind, u64 error)
{
    static const enum io_class classes[IO_KIND_COUNT] = {
        [0] = IO_CLASS_OTHER,        [IO_READ] = IO_CLASS_READ,
        [IO_WRITE] = IO_CLASS_WRITE, [IO_OTHER] = IO_CLASS_OTHER,
        [IO_WAIT] = IO_CLASS_WAIT,
    };

    /* A wait counts as a wait even if it fails, as when a signal interrupts it. */
    if (error && kind != IO_WAIT)
        return IO_CLASS_ERROR;
    return kind < IO_KIND_COUNT ? classes[kind] : IO_CLASS_OTHER;
}

/*
 * The slowest calls are a heap, with the fastest of them on top: move the call at `at`
 * down to its place.
 */
static void
sink(struct io_slow *slow, u32 slows, u32 at)
{
    struct io_slow moved = slow[at];

    for (u32 child; (child = 2 * at + 1) < slows; at = child) {
        if (child + 1 < slows && slow[child + 1].time < slow[child].time)
            child++;
        if (slow[child].time >= moved.time)
            break;
        slow[at] = slow[child];
    }
    slow[at] = moved;
}

void
ioscan_slow(struct io_slow *slow, u32 *slows, const struct io_slow *call)
{
    if (*slows == IO_SLOW) {
        if (call->time <= slow[0].time)
            return;
        slow[0] = *call;
        sink(slow, IO_SLOW, 0);
        return;
    }
    slow[(*slows)++] = *call;
    for (u32 i = *slows / 2; i-- > 0;)
        sink(slow, *slows, i);
}

static void
add_steps(struct io_part *part, enum io_class class, const struct io_sum *sum,
          double rate)
{
    u32 step = iosum_step(clock_scaled(sum->time, rate));

    iosum_add(&part->time[step][class], sum);
    if (class <= IO_CLASS_WRITE)
        iosum_add(&part->size[iosum_step(sum->bytes)][class], sum);
}

static void
add_slow(struct io_part *part, const struct trace_row *row, const struct io_sum *sum)
{
    struct io_slow call = {
        .file = (u32)trace_get(row, FIELD_FILE),
        .node = (u32)trace_get(row, FIELD_NODE),
        .call = (u32)trace_get(row, FIELD_CALL),
        .error = (u32)trace_get(row, FIELD_ERROR),
        .thread = row->slot,
        .since = trace_get(row, FIELD_TIME),
        .time = sum->time,
        .bytes = sum->bytes,
    };

    ioscan_slow(part->slow, &part->slows, &call);
}

static void
on_call(struct scan *scan, struct io_part *part, const struct trace_row *row,
        const struct trace_share *share)
{
    u64 error = trace_get(row, FIELD_ERROR), kind = trace_get(row, FIELD_KIND);
    enum io_class class = class_of(kind, error);
    u64 bytes = class <= IO_CLASS_WRITE ? trace_get(row, FIELD_BYTES) : 0;
    struct io_sum sum = { share->counts, share->counts ? bytes : 0, share->took, 0 };
    struct bin_key key = { .what = class };

    sum.most = sum.time;
    if (scan->want & (IO_FILES | IO_NAMES))
        key.object = trace_get(row, FIELD_FILE);
    if (scan->want & IO_STACKS)
        key.node = (u32)trace_get(row, FIELD_NODE);
    if (scan->want & IO_CALLS) {
        key.other = (u32)trace_get(row, FIELD_CALL);
        key.what |= (u32)error << IO_WHAT_ERROR_SHIFT;
        if (share->counts)
            add_steps(part, class, &sum, scan->rate);
        if (share->counts && kind != IO_WAIT &&
            (part->slows < IO_SLOW || sum.time > part->slow[0].time))
            add_slow(part, row, &sum);
    }
    bins_add_part(&part->bins, &key, share->counts, sum.bytes, sum.time, 0);
}

static void
on_file(struct io_part *part, const struct trace_row *row)
{
    struct io_open open = {
        .id = (u32)trace_get(row, FIELD_ID),
        .kind = (u32)trace_get(row, FIELD_KIND),
        .how = (u32)trace_get(row, FIELD_HOW),
        .fd = (int64_t)trace_get(row, FIELD_FD) - 1,
        .fstype = trace_get(row, FIELD_FSTYPE),
        .time = trace_get(row, FIELD_TIME),
        .name = trace_text(row, FIELD_NAME),
    };

    if (array_room(&part->open, &part->open_room, part->opens + 1, sizeof(open)) < 0)
        part->bins.no_memory = true;
    else
        part->open[part->opens++] = open;
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct scan *scan = context;
    struct io_part *part = &scan->part[row->worker];
    struct trace_share share;

    if (row->wish == WISH_FILE) {
        if (scan->want & (IO_FILES | IO_NAMES))
            on_file(part, row);
    } else if (tracepass_share(row, trace_get(row, FIELD_TOOK), &share)) {
        on_call(scan, part, row, &share);
    }
}

static void
merge_opens(struct io_part *to, const struct io_part *from)
{
    if (!from->opens)
        return;
    if (array_room(&to->open, &to->open_room, to->opens + from->opens,
                   sizeof(*to->open)) < 0) {
        to->bins.no_memory = true;
        return;
    }
    memcpy(to->open + to->opens, from->open, from->opens * sizeof(*to->open));
    to->opens += from->opens;
}

static void
merge(struct io_part *to, const struct io_part *from)
{
    bins_merge(&to->bins, &from->bins);
    merge_opens(to, from);
    for (u32 i = 0; i < from->slows; i++)
        ioscan_slow(to->slow, &to->slows, &from->slow[i]);
    for (u32 i = 0; i < IO_STEPS; i++) {
        for (u32 k = 0; k < 2; k++)
            iosum_add(&to->size[i][k], &from->size[i][k]);
        for (u32 k = 0; k < IO_CLASSES; k++)
            iosum_add(&to->time[i][k], &from->time[i][k]);
    }
}

int
ioscan_run(struct session *session, u32 experiment, u32 want, double rate,
           struct io_part **out)
{
    struct scan scan = { want, rate, calloc(TRACE_WORKERS, sizeof(*scan.part)) };
    struct trace_sink into = { wishes, WISHES, on_row, &scan };
    int ret = scan.part ? tracepass_run(session, experiment, FILE_iotrace, &into)
                        : -ENOMEM;

    for (u32 i = 1; i < TRACE_WORKERS && scan.part; i++) {
        merge(&scan.part[0], &scan.part[i]);
        bins_free(&scan.part[i].bins);
        free(scan.part[i].open);
    }
    if (ret == 0 && scan.part[0].bins.no_memory)
        ret = -ENOMEM;
    if (ret < 0)
        ioscan_free(scan.part);
    else
        *out = scan.part;
    return ret;
}

void
ioscan_free(struct io_part *part)
{
    if (!part)
        return;
    bins_free(&part->bins);
    free(part->open);
    free(part);
}
