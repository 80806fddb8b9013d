/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a sample of perf.data: its fields and its stack. */
#include "import/perf/perf.h"

/*
 * Addresses from here on are marks: they say of which kind the following addresses are.
 */
#define CONTEXT_FROM ((u64)-4095)
#define CONTEXT_KERNEL ((u64)-128)
#define CONTEXT_USER ((u64)-512)

enum read_format {
    READ_ENABLED = 1,
    READ_RUNNING = 2,
    READ_ID = 4,
    READ_GROUP = 8,
    READ_LOST = 16,
};

enum branch_format {
    FORMAT_INDEX = 1 << 17, /* a word of the hardware precedes the branches */
    FORMAT_COUNTERS = 1 << 19,
    FORMAT_BYTES = 24,
};

/* Skips the counter values in a sample. */
static void
skip_read(struct cursor *c, u64 format)
{
    u64 times = perf_fields(format, READ_ENABLED | READ_RUNNING);
    u64 each = 1 + perf_fields(format, READ_ID | READ_LOST), count = 1;

    if (format & READ_GROUP)
        count = cursor_u64(c);
    if (count > cursor_left(c))
        c->bad = true;
    else
        cursor_skip(c, 8 * (times + count * each));
}

const struct perf_event *
perf_sample_event(const struct perf *p, struct cursor c)
{
    u64 type = p->event[0].sample_type;

    if (p->nevents == 1 || !(type & (SAMPLE_IDENTIFIER | SAMPLE_ID)))
        return &p->event[0];
    if (!(type & SAMPLE_IDENTIFIER))
        cursor_skip(&c, 8 * perf_fields(type, SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
                                        SAMPLE_ADDR));
    return perf_event_of(p, cursor_u64(&c));
}

/* Finds the frames that the kernel has walked. */
static void
read_frames(struct cursor *c, struct perf_sample *out)
{
    out->nchain = cursor_u64(c);
    out->chain = *c;
    if (out->nchain > cursor_left(c) / 8)
        c->bad = true;
    else
        cursor_skip(c, 8 * out->nchain);
}

/*
 * Finds the branches. If the format says so, they are followed by a word for each
 * branch, which counts events.
 */
static void
read_branches(struct cursor *c, u64 format, struct perf_sample *out)
{
    u64 bytes = FORMAT_BYTES + (format & FORMAT_COUNTERS ? 8 : 0);

    out->nbranches = cursor_u64(c);
    if (format & FORMAT_INDEX)
        cursor_u64(c);
    out->branches = *c;
    if (out->nbranches > cursor_left(c) / bytes)
        c->bad = true;
    else
        cursor_skip(c, bytes * out->nbranches);
}

static void
read_registers(struct cursor *c, u64 mask, struct perf_dump *dump)
{
    dump->abi = cursor_u64(c);
    dump->mask = mask;
    dump->regs = *c;
    if (dump->abi)
        cursor_skip(c, 8 * perf_fields(mask, ~0ull));
}

/*
 * Finds the copy of the stack. The kernel may have copied fewer bytes than the record
 * has space for.
 */
static void
read_copy(struct cursor *c, struct perf_dump *dump)
{
    u64 room = cursor_u64(c), used;

    dump->stack = c->at;
    cursor_skip(c, room);
    used = room ? cursor_u64(c) : 0;
    dump->stack_bytes = used < room ? used : room;
}

bool
perf_sample_read(const struct perf_event *event, struct cursor c,
                 struct perf_sample *out)
{
    u64 type = event->sample_type;

    *out = (struct perf_sample){ .period = event->period };
    if (type & SAMPLE_IDENTIFIER)
        cursor_u64(&c);
    if (type & SAMPLE_IP)
        out->ip = cursor_u64(&c);
    if (type & SAMPLE_TID) {
        out->pid = cursor_u32(&c);
        out->tid = cursor_u32(&c);
    }
    cursor_skip(&c, 8 * perf_fields(type, SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_ID |
                                    SAMPLE_STREAM_ID));
    if (type & SAMPLE_CPU) {
        out->cpu = cursor_u32(&c);
        cursor_u32(&c);
    }
    if (type & SAMPLE_PERIOD)
        out->period = cursor_u64(&c);
    if (type & SAMPLE_READ)
        skip_read(&c, event->read_format);
    if (type & SAMPLE_CALLCHAIN)
        read_frames(&c, out);
    if (type & SAMPLE_RAW)
        cursor_skip(&c, cursor_u32(&c));
    if (type & SAMPLE_BRANCH_STACK)
        read_branches(&c, event->branch_format, out);
    if (type & SAMPLE_REGS_USER)
        read_registers(&c, event->regs_user, &out->dump);
    if (type & SAMPLE_STACK_USER)
        read_copy(&c, &out->dump);
    return !c.bad;
}

/*
 * Marks the pcs that are not return addresses: that of the leaf, and that at which user
 * code entered the kernel.
 */
static void
mark_exact(struct perf_chain *ch)
{
    for (u32 i = 0; i < ch->count; i++)
        ch->exact[i] = i == 0 || (!ch->kernel[i] && ch->kernel[i - 1]);
}

void
perf_sample_chain(const struct perf_sample *s, bool kernel, struct perf_chain *out)
{
    struct cursor c = s->chain;
    bool skipped = false;

    out->count = 0;
    out->cut = s->nchain > PERF_CHAIN;
    for (u64 i = 0; i < s->nchain && out->count < PERF_CHAIN; i++) {
        u64 pc = cursor_u64(&c);

        if (pc >= CONTEXT_FROM) {
            kernel = pc == CONTEXT_KERNEL;
            skipped = pc != CONTEXT_KERNEL && pc != CONTEXT_USER;
        } else if (pc && !skipped) {
            out->kernel[out->count] = kernel;
            out->pc[out->count++] = pc;
        }
    }
    if (!out->count && s->ip) {
        out->kernel[0] = kernel;
        out->pc[0] = s->ip;
        out->count = 1;
    }
    mark_exact(out);
}
