/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads perf.data, from a file or a pipe. Its records are in the order in which the
 * processors wrote them. They are sorted by time first, so that each sample finds the
 * mappings of its time. Unknown records are skipped, as their size is known.
 */
#include "import/perf/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "share/branch.h"

enum {
    RECORD_HEAD = 8,
    BUILD_ID_BYTES = 20,
    NAME_MOST = 4096,
};

struct head {
    u32 type;
    u32 misc;
    u32 size;
};

static struct cursor
record_at(const struct perf *p, u64 at, struct head *head)
{
    struct cursor c = cursor_at(p->file, at, p->big);

    head->type = cursor_u32(&c);
    head->misc = cursor_u16(&c);
    head->size = cursor_u16(&c);
    return c;
}

/*
 * The fields at the end of a record other than a sample, among them its time. Empty if
 * the record has no such fields.
 */
static struct cursor
trailer_of(const struct perf *p, u64 at, u32 size)
{
    const struct perf_event *event = &p->event[0];
    u64 fields = SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU |
                 SAMPLE_IDENTIFIER;
    u32 bytes = 8 * perf_fields(event->sample_type, fields);
    struct cursor c = cursor_at(p->file, at + size, p->big);

    c.at = c.end;
    if (event->sample_id_all && bytes + RECORD_HEAD <= size)
        c = cursor_at((struct bytes){ p->file.at + at + size - bytes, bytes }, 0,
                      p->big);
    return c;
}

/* The time of a record; 0 if it has none. */
static u64
time_of(const struct perf *p, u64 at, const struct head *head)
{
    const struct perf_event *event = &p->event[0];
    struct cursor c;

    if (!(event->sample_type & SAMPLE_TIME))
        return 0;
    if (head->type == RECORD_SAMPLE) {
        c = cursor_at((struct bytes){ p->file.at + at, head->size }, RECORD_HEAD,
                      p->big);
        cursor_skip(&c, 8 * perf_fields(event->sample_type,
                                       SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID));
        return cursor_u64(&c);
    }
    c = trailer_of(p, at, head->size);
    cursor_skip(&c, 8 * perf_fields(event->sample_type, SAMPLE_TID));
    return cursor_u64(&c);
}

static void
add_record(struct perf *p, u64 at, const struct head *head)
{
    if (array_room(&p->record, &p->records_room, p->nrecords + 1,
                   sizeof(*p->record)) < 0) {
        p->im->failed = true;
        return;
    }
    p->record[p->nrecords++] = (struct perf_record_at){ time_of(p, at, head), at };
}

/* How many bytes follow a record without being included in its size. */
static u64
more_behind(const struct perf *p, u64 at, const struct head *head)
{
    struct cursor c = cursor_at(p->file, at + RECORD_HEAD, p->big);

    if (head->type == RECORD_AUXTRACE)
        return cursor_u64(&c);
    if (head->type == RECORD_TRACING_DATA)
        return ((u64)cursor_u32(&c) + 7) / 8 * 8;
    return 0;
}

/*
 * Keeps one piece of the compressed records. A piece that is itself within compressed
 * records, or malformed, counts as lost.
 */
static void
add_packed(struct perf *p, struct cursor c, u32 type)
{
    u64 size;

    cursor_skip(&c, RECORD_HEAD);
    size = type == RECORD_COMPRESSED2 ? cursor_u64(&c) : cursor_left(&c);
    if (size > cursor_left(&c) || p->unpacked)
        p->im->lost++;
    else if (!perf_packed_add(p, (struct bytes){ c.at, size }))
        p->im->failed = true;
}

/* Handles a record that perf itself writes; in a pipe these include the head. */
static void
read_tool_record(struct perf *p, u64 at, const struct head *head)
{
    struct cursor whole =
        cursor_at((struct bytes){ p->file.at + at, head->size }, 0, p->big);

    switch (head->type) {
    case RECORD_HEADER_ATTR:
        perf_head_attr(p, whole);
        break;
    case RECORD_FEATURE:
        perf_head_feature(p, whole);
        break;
    case RECORD_BUILD_ID:
        perf_head_buildid(p, whole);
        break;
    case RECORD_EVENT_UPDATE:
        perf_head_update(p, whole);
        break;
    case RECORD_COMPRESSED:
    case RECORD_COMPRESSED2:
        add_packed(p, whole, head->type);
        break;
    }
}

/* Reads the records of a part of the file. */
static void
gather_part(struct perf *p, u64 at, u64 end)
{
    while (end - at >= RECORD_HEAD && !p->im->failed) {
        struct head head;
        u64 left = end - at, more;

        record_at(p, at, &head);
        if (head.size < RECORD_HEAD || head.size > left) {
            p->im->cut_at = at;
            break;
        }
        if (head.type >= RECORD_OWN)
            read_tool_record(p, at, &head);
        else if (p->nevents)
            add_record(p, at, &head);
        more = more_behind(p, at, &head);
        if (more > left - head.size) {
            p->im->cut_at = at;
            break;
        }
        at += head.size + more;
        perf_was_read(p, head.size);
    }
}

/* Reads all records; keeps the kernel's (not perf's own), sorted by time. */
static int
gather(struct perf *p)
{
    u64 size = p->file.size;

    gather_part(p, p->data, p->data_end);
    if (p->packed && !p->im->failed) {
        int ret = perf_packed_unpack(p);

        if (ret < 0)
            return ret;
        p->unpacked = true;
        gather_part(p, size, p->file.size);
    }
    return p->im->failed ? -ENOMEM : perf_sort(p);
}

static void
on_map(struct perf *p, struct cursor c, const struct head *head, u64 time)
{
    struct perf_mapping m = { .time = time, .buildid = "" };
    char hex[2 * BUILD_ID_BYTES + 1] = "";
    u32 protection = 4;

    m.kernel = (head->misc & MODE_MASK) == MODE_KERNEL ||
               (head->misc & MODE_MASK) == MODE_GUEST_KERNEL;
    m.pid = cursor_u32(&c);
    cursor_u32(&c);
    m.start = cursor_u64(&c);
    m.size = cursor_u64(&c);
    m.offset = cursor_u64(&c);
    if (head->type == RECORD_MMAP2 && head->misc & MISC_BUILD_ID) {
        u32 size = cursor_u8(&c);

        cursor_skip(&c, 3);
        for (u32 i = 0; i < BUILD_ID_BYTES; i++) {
            u32 byte = cursor_u8(&c);

            if (i < size)
                snprintf(hex + 2 * i, 3, "%02x", byte);
        }
        m.buildid = hex;
    } else if (head->type == RECORD_MMAP2) {
        m.major = cursor_u32(&c);
        m.minor = cursor_u32(&c);
        m.inode = cursor_u64(&c);
        cursor_u64(&c);
    }
    if (head->type == RECORD_MMAP2) {
        protection = cursor_u32(&c);
        cursor_u32(&c);
    }
    m.name = cursor_string(&c);
    if (!c.bad && protection & 4)
        perf_tasks_map(p, &m);
}

static void
on_task(struct perf *p, struct cursor c, const struct head *head, u64 time)
{
    u32 pid = cursor_u32(&c), second = cursor_u32(&c), tid;
    const char *name;

    if (head->type == RECORD_COMM) {
        name = cursor_string(&c);
        if (!c.bad)
            perf_tasks_comm(p, pid, second, name, head->misc & MISC_EXEC, time);
        return;
    }
    tid = cursor_u32(&c);
    if (c.bad)
        return;
    if (head->type == RECORD_FORK)
        perf_tasks_fork(p, pid, second, tid, time);
    else
        perf_tasks_exit(p, pid, tid, time);
}

static void
on_lost(struct perf *p, struct cursor c, const struct head *head)
{
    if (head->type == RECORD_LOST)
        cursor_u64(&c);
    p->im->lost += cursor_u64(&c);
}

static u32
make_stack(struct perf *p, u32 pid, u32 process, const struct perf_chain *ch, u64 time)
{
    u32 node = ch->cut ? import_node(p->im, process, 0, 0, 0, NODE_TRUNCATED) : 0;

    for (u32 i = ch->count; i > 0; i--) {
        u64 pc = ch->pc[i - 1];
        u32 object =
            perf_tasks_object(p, pid, process, pc, ch->kernel[i - 1], time);

        node = import_node(p->im, process, node, object, pc,
                           ch->exact[i - 1] ? NODE_EXACT : 0);
    }
    return node;
}

/*
 * Converts one end of a branch to the pc that a node has. Makes sure that the object
 * that was at this address at that time is in the experiment.
 */
static u64
branch_end(struct perf *p, u32 pid, u32 process, u64 pc, u64 time)
{
    if (pc)
        perf_tasks_object(p, pid, process, pc, (int64_t)pc < 0, time);
    return pc & IMPORT_PC_MASK;
}

/* Restores the order of bit fields: in big-endian files, they begin at a word's top. */
static u64
branch_word(u64 word, bool big)
{
    u64 fields[][2] = { { 63, 1 }, { 62, 1 }, { 61, 1 }, { 60, 1 }, { 44, 16 },
                        { 40, 4 }, { 38, 2 }, { 34, 4 }, { 31, 3 } };
    u64 out = 0, at = 0;

    if (!big)
        return word;
    for (u32 i = 0; i < ER_COUNT(fields); i++) {
        out |= (word >> fields[i][0] & ((1ull << fields[i][1]) - 1)) << at;
        at += fields[i][1];
    }
    return out;
}

/* Adds the branch stack, beginning with the newest branch, as far as there is room. */
static void
add_branches(struct perf *p, const struct perf_sample *s, const struct import_hit *hit)
{
    unsigned char steps[ER_STR_MAX], *end = steps;
    struct cursor c = s->branches;
    u64 at = 0;

    for (u64 i = 0; i < s->nbranches; i++) {
        u64 from = cursor_u64(&c), to = cursor_u64(&c), word = cursor_u64(&c);
        struct branch b;

        if (ER_STR_MAX - (end - steps) < BRANCH_BYTES_MAX)
            break;
        from = branch_end(p, s->pid, hit->process, from, hit->time);
        to = branch_end(p, s->pid, hit->process, to, hit->time);
        b = branch_of_words(from, to, branch_word(word, p->big));
        if (from || to)
            end = branch_put(end, &at, &b);
    }
    import_branches(p->im, hit,
                    (struct er_str){ (const char *)steps, (u32)(end - steps) });
}

/*
 * The counter that a hit of an event counts for. IMPORT_COUNTERS: none, since it is a
 * clock hit, or the event is left out. In the idle task (pid 0), a clock hit is not CPU
 * time, so it counts for a counter with the event's name.
 */
static u32
counter_of(struct perf *p, const struct perf_event *event, u32 pid)
{
    if (event->is_clock && pid)
        return IMPORT_COUNTERS;
    return event->is_clock ? import_counter(p->im, event->name) : event->counter;
}

static void
on_sample(struct perf *p, struct cursor c, const struct head *head, u64 time,
          struct perf_chain *chain)
{
    const struct perf_event *event = perf_sample_event(p, c);
    u32 mode = head->misc & MODE_MASK, counter;
    struct import_hit hit = { .time = time };
    struct perf_sample s;

    if (!event || !perf_sample_read(event, c, &s)) {
        p->im->lost++;
        return;
    }
    hit.kernel = mode != MODE_USER && mode != MODE_GUEST_USER;
    hit.cpu = s.cpu;
    hit.value = s.period ? s.period : 1;
    if (!perf_tasks_find(p, s.pid, s.tid, time, &hit))
        return;
    perf_sample_chain(&s, hit.kernel, chain);
    perf_stacks_unwind(p, &s, hit.process, chain);
    hit.node = make_stack(p, s.pid, hit.process, chain, time);
    if (p->im->failed)
        return;
    counter = counter_of(p, event, s.pid);
    if (event->is_clock && s.pid)
        import_clock(p->im, &hit);
    else if (counter < IMPORT_COUNTERS)
        import_count(p->im, counter, &hit);
    else
        return;
    if (s.nbranches)
        add_branches(p, &s, &hit);
}

static void
read_record(struct perf *p, const struct perf_record_at *at, struct perf_chain *chain)
{
    struct head head;
    struct cursor c = record_at(p, at->at, &head);
    u64 time = at->time > p->base ? at->time : p->base;

    c.end = p->file.at + at->at + head.size;
    perf_was_read(p, head.size);
    switch (head.type) {
    case RECORD_MMAP:
    case RECORD_MMAP2:
        on_map(p, c, &head, time);
        break;
    case RECORD_COMM:
    case RECORD_FORK:
    case RECORD_EXIT:
        on_task(p, c, &head, time);
        break;
    case RECORD_LOST:
    case RECORD_LOST_SAMPLES:
        on_lost(p, c, &head);
        break;
    case RECORD_THROTTLE:
        p->im->throttled++;
        break;
    case RECORD_SAMPLE:
        on_sample(p, c, &head, time, chain);
        break;
    }
}

/*
 * The time for records without a time, which perf wrote before the run: that of the
 * first record that has one.
 */
static u64
first_time(const struct perf *p)
{
    for (u32 i = 0; i < p->nrecords; i++)
        if (p->record[i].time)
            return p->record[i].time;
    return 1;
}

static int
read_all(struct perf *p)
{
    struct perf_chain *chain = malloc(sizeof(*chain));
    int ret = chain ? perf_tasks_open(p) : -ENOMEM;

    if (ret == 0)
        ret = perf_stacks_open(p);
    p->base = first_time(p);
    for (u32 i = 0; i < p->nrecords && ret == 0; i++) {
        read_record(p, &p->record[i], chain);
        if (p->im->failed)
            ret = -ENOMEM;
        else if (*p->im->why)
            ret = -EBADMSG;
    }
    perf_stacks_close(p);
    perf_tasks_close(p);
    free(chain);
    return ret;
}

int
import_perf(struct import *im, struct bytes file)
{
    struct perf p = { .im = im, .file = file };
    int ret = perf_head_read(&p);

    if (ret == 0)
        ret = gather(&p);
    if (ret == 0)
        ret = perf_head_settle(&p);
    if (ret == 0)
        ret = read_all(&p);
    free(p.event);
    free(p.id);
    hash_free(&p.ids);
    free(p.buildid);
    free(p.record);
    perf_packed_free(&p);
    return ret;
}
