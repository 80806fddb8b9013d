/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the head of perf.data: events, and what perf noted about the machine and the
 * files.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/perf/perf.h"
#include "print/base/array.h"

enum {
    HEAD_FILE = 104, /* bytes of a file's head; at its end, a bit for each feature */
    HEAD_PIPE = 16,
    HEAD_BITS = 72, /* offset of these bits */
    FEATURES = 256,
    ATTR_LEAST = 64, /* bytes of the shortest description of an event */
    ATTR_BRANCHES = 72, /* offset of branch_sample_type; registers follow */
    RECORD_HEAD = 8,
    BUILD_ID_BYTES = 20,
    TEXT_MOST = 4096,
};

enum feature {
    FEATURE_BUILD_ID = 2,
    FEATURE_HOST = 3,
    FEATURE_RELEASE = 4,
    FEATURE_VERSION = 5,
    FEATURE_ARCH = 6,
    FEATURE_CPUS = 7,
    FEATURE_COMMAND = 11,
    FEATURE_EVENTS = 12,
};

enum event_type {
    TYPE_HARDWARE = 0,
    TYPE_SOFTWARE = 1,
    SOFTWARE_CPU_CLOCK = 0,
    SOFTWARE_TASK_CLOCK = 1,
    SOFTWARE_DUMMY = 9,
};

enum attr_flag {
    ATTR_FREQ = 1 << 10,
    ATTR_SAMPLE_ID_ALL = 1 << 18,
};

enum {
    UPDATE_NAME = 2,
};

/*
 * Reads a word of flags. In a big-endian file, the bits of each byte are reversed, too.
 */
static u64
read_flags(struct cursor *c)
{
    u64 flags = 0;

    for (u32 i = 0; i < 8; i++) {
        u32 byte = cursor_u8(c), turned = 0;

        for (u32 k = 0; k < 8; k++)
            turned |= (byte >> k & 1) << (7 - k);
        flags |= (u64)(c->big ? turned : byte) << 8 * i;
    }
    return flags;
}

/* Reads an event's description of `size` bytes; moves the cursor past it. */
static struct perf_event
read_event(struct cursor *c, u64 size)
{
    struct cursor at = *c;
    struct perf_event event = { .counter = IMPORT_COUNTERS };
    u64 period, flags;

    event.type = cursor_u32(&at);
    cursor_u32(&at);
    event.config = cursor_u64(&at);
    period = cursor_u64(&at);
    event.sample_type = cursor_u64(&at);
    event.read_format = cursor_u64(&at);
    flags = read_flags(&at);
    event.period = flags & ATTR_FREQ ? 0 : period;
    event.frequency = flags & ATTR_FREQ ? period : 0;
    /* Older descriptions are shorter. */
    cursor_skip(&at, 3 * 8);
    event.branch_format = size >= ATTR_BRANCHES + 8 ? cursor_u64(&at) : 0;
    event.regs_user = size >= ATTR_BRANCHES + 16 ? cursor_u64(&at) : 0;
    event.sample_id_all = flags & ATTR_SAMPLE_ID_ALL;
    event.is_clock = event.type == TYPE_SOFTWARE && event.config <= SOFTWARE_TASK_CLOCK;
    cursor_skip(c, size);
    c->bad |= at.bad;
    return event;
}

static void
add_event(struct perf *p, const struct perf_event *event)
{
    if (array_room(&p->event, &p->events_room, p->nevents + 1, sizeof(*event)) < 0)
        p->im->failed = true;
    else
        p->event[p->nevents++] = *event;
}

struct key {
    const struct perf *p;
    u64 id;
};

static bool
same_id(const void *context, u32 index)
{
    const struct key *key = context;

    return key->p->id[index].id == key->id;
}

static u32
find_id(const struct perf *p, u64 id)
{
    struct key key = { p, id };

    return hash_find(&p->ids, (u32)hash_mix(id), same_id, &key);
}

/* Adds ids of the event that was added last. */
static void
add_ids(struct perf *p, struct cursor ids)
{
    while (cursor_left(&ids) >= 8 && p->nevents) {
        struct perf_id new = { cursor_u64(&ids), p->nevents - 1 };

        if (find_id(p, new.id) != HASH_NONE)
            continue;
        if (array_room(&p->id, &p->ids_room, p->nids + 1, sizeof(new)) < 0 ||
            hash_add(&p->ids, (u32)hash_mix(new.id), p->nids) < 0) {
            p->im->failed = true;
            return;
        }
        p->id[p->nids++] = new;
    }
}

/* The part [at, at + size) of the file; empty if it is not all within the file. */
static struct cursor
part_of(const struct perf *p, u64 at, u64 size)
{
    struct bytes part = { p->file.at, 0 };

    if (at <= p->file.size && size <= p->file.size - at)
        part = (struct bytes){ p->file.at + at, size };
    return cursor_at(part, 0, p->big);
}

static int
read_events(struct perf *p, struct cursor attrs, u64 size)
{
    if (size < ATTR_LEAST + 16)
        return import_fail(p->im, "its events are described in %" PRIu64 " bytes each",
                           size);
    while (cursor_left(&attrs) >= size) {
        struct perf_event event = read_event(&attrs, size - 16);
        u64 at = cursor_u64(&attrs), bytes = cursor_u64(&attrs);

        add_event(p, &event);
        add_ids(p, part_of(p, at, bytes));
    }
    return p->nevents ? 0 : import_fail(p->im, "it describes no event");
}

/*
 * Reads a string, which its length precedes, and which is padded with zeros; "" if it
 * does not fit into the part.
 */
static const char *
read_text(struct perf *p, struct cursor *c)
{
    u32 len = cursor_u32(c);
    const char *text = (const char *)c->at;

    if (!cursor_has(c, len))
        return "";
    c->at += len;
    return import_text(p->im, text, len < TEXT_MOST ? len : TEXT_MOST);
}

static const char *
read_command(struct perf *p, struct cursor *c)
{
    u32 count = cursor_u32(c);
    char text[TEXT_MOST] = "";
    size_t len = 0;

    for (u32 i = 0; i < count && !c->bad; i++) {
        const char *word = read_text(p, c);

        len += (size_t)snprintf(text + len, sizeof(text) - len, i ? " %s" : "%s", word);
        if (len >= sizeof(text))
            break;
    }
    return import_text(p->im, text, sizeof(text));
}

static void
read_names(struct perf *p, struct cursor *c)
{
    u32 count = cursor_u32(c), size = cursor_u32(c);

    for (u32 i = 0; i < count && !c->bad; i++) {
        const char *name;
        u32 ids;

        cursor_skip(c, size);
        ids = cursor_u32(c);
        name = read_text(p, c);
        cursor_skip(c, (u64)ids * 8);
        if (!c->bad && i < p->nevents && *name)
            p->event[i].name = name;
    }
}

void
perf_head_buildid(struct perf *p, struct cursor c)
{
    struct perf_buildid new;
    char hex[2 * BUILD_ID_BYTES + 1] = "";
    const unsigned char *id;
    size_t left;
    u32 size;

    cursor_skip(&c, RECORD_HEAD + 4);
    id = c.at;
    cursor_skip(&c, BUILD_ID_BYTES);
    size = cursor_u32(&c);
    left = cursor_left(&c);
    if (c.bad || !left)
        return;
    /* Old files do not contain the size of the build-id. */
    size = size & 0xff ? size & 0xff : BUILD_ID_BYTES;
    for (u32 i = 0; i < size && i < BUILD_ID_BYTES; i++)
        snprintf(hex + 2 * i, 3, "%02x", id[i]);
    new.name = import_text(p->im, (const char *)c.at, left);
    new.buildid = import_text(p->im, hex, sizeof(hex));
    if (array_room(&p->buildid, &p->buildids_room, p->nbuildids + 1, sizeof(new)) < 0)
        p->im->failed = true;
    else
        p->buildid[p->nbuildids++] = new;
}

/* Reads consecutive BUILD_ID records. */
static void
read_buildids(struct perf *p, struct cursor *c)
{
    while (cursor_left(c) > RECORD_HEAD) {
        struct cursor head = *c, record = *c;
        u32 size;

        cursor_skip(&head, 6);
        size = cursor_u16(&head);
        if (size < RECORD_HEAD || size > cursor_left(c))
            return;
        record.end = record.at + size;
        perf_head_buildid(p, record);
        cursor_skip(c, size);
    }
}

static void
read_feature(struct perf *p, u64 feature, struct cursor *c)
{
    struct import *im = p->im;
    char text[40];

    switch (feature) {
    case FEATURE_BUILD_ID:
        read_buildids(p, c);
        break;
    case FEATURE_HOST:
        im->host = read_text(p, c);
        break;
    case FEATURE_RELEASE:
        im->os = read_text(p, c);
        break;
    case FEATURE_VERSION:
        snprintf(text, sizeof(text), "perf %s", read_text(p, c));
        im->tool = import_text(im, text, sizeof(text));
        break;
    case FEATURE_ARCH:
        im->arch = read_text(p, c);
        break;
    case FEATURE_CPUS:
        cursor_u32(c);
        snprintf(text, sizeof(text), "%u", cursor_u32(c));
        im->cpus = import_text(im, text, sizeof(text));
        break;
    case FEATURE_COMMAND:
        im->command = read_command(p, c);
        break;
    case FEATURE_EVENTS:
        read_names(p, c);
        break;
    }
}

/*
 * Reads the features. Their offsets and sizes follow the data, in the order of their
 * bits.
 */
static void
read_features(struct perf *p)
{
    struct cursor table = cursor_at(p->file, p->data_end, p->big);
    const unsigned char *bits = p->file.at + HEAD_BITS;

    for (u32 i = 0; i < FEATURES && !table.bad; i++) {
        u32 word = i / 64, bit = i % 64;
        u32 byte = 8 * word + (p->big ? 7 - bit / 8 : bit / 8);
        struct cursor part;
        u64 at, size;

        if (!(bits[byte] >> bit % 8 & 1))
            continue;
        at = cursor_u64(&table);
        size = cursor_u64(&table);
        part = part_of(p, at, size);
        if (!table.bad)
            read_feature(p, i, &part);
    }
}

int
perf_head_read(struct perf *p)
{
    struct cursor c = cursor_at(p->file, 0, false);
    u64 size, attr_size, attrs, attrs_size;
    int ret;

    if (p->file.size < HEAD_PIPE)
        return -ENOEXEC;
    p->big = !memcmp(p->file.at, "2ELIFREP", 8);
    if (!p->big && memcmp(p->file.at, "PERFILE2", 8) != 0)
        return -ENOEXEC;
    c.big = p->big;
    cursor_skip(&c, 8);
    size = cursor_u64(&c);
    if (size == HEAD_PIPE) {
        p->pipe = true;
        p->data = HEAD_PIPE;
        p->data_end = p->file.size;
        return 0;
    }
    if (size < HEAD_FILE || p->file.size < HEAD_FILE)
        return import_fail(p->im, "it ends within its head");
    attr_size = cursor_u64(&c);
    attrs = cursor_u64(&c);
    attrs_size = cursor_u64(&c);
    p->data = cursor_u64(&c);
    p->data_end = p->data + cursor_u64(&c);
    ret = read_events(p, part_of(p, attrs, attrs_size), attr_size);
    if (ret < 0)
        return ret;
    if (p->data > p->file.size || p->data_end < p->data)
        return import_fail(p->im, "its records begin at %" PRIu64 ", behind its end",
                           p->data);
    read_features(p);
    /*
     * perf writes the size when it ends. If it was killed, the data reach to the file's
     * end.
     */
    if (p->data_end > p->file.size || p->data_end == p->data)
        p->data_end = p->file.size;
    return 0;
}

void
perf_head_attr(struct perf *p, struct cursor c)
{
    struct cursor size_at = c;
    struct perf_event event;
    u32 size;

    cursor_skip(&c, RECORD_HEAD);
    cursor_skip(&size_at, RECORD_HEAD + 4);
    size = cursor_u32(&size_at);
    if (size < ATTR_LEAST)
        return;
    event = read_event(&c, size);
    if (c.bad)
        return;
    add_event(p, &event);
    add_ids(p, c);
}

void
perf_head_feature(struct perf *p, struct cursor c)
{
    u64 feature;

    cursor_skip(&c, RECORD_HEAD);
    feature = cursor_u64(&c);
    if (!c.bad)
        read_feature(p, feature, &c);
}

void
perf_head_update(struct perf *p, struct cursor c)
{
    u64 what;
    u32 at;

    cursor_skip(&c, RECORD_HEAD);
    what = cursor_u64(&c);
    at = find_id(p, cursor_u64(&c));
    if (!c.bad && what == UPDATE_NAME && at != HASH_NONE)
        p->event[p->id[at].event].name =
            import_text(p->im, (const char *)c.at, cursor_left(&c));
}

/* The name that perf gives to an event which has none in the head. */
static const char *
name_of(struct perf *p, const struct perf_event *event)
{
    static const char *const hardware[] = {
        "cycles", "instructions", "cache-references", "cache-misses", "branches",
        "branch-misses", "bus-cycles", "stalled-cycles-frontend",
        "stalled-cycles-backend", "ref-cycles",
    };
    static const char *const software[] = {
        "cpu-clock", "task-clock", "page-faults", "context-switches",
        "cpu-migrations", "minor-faults", "major-faults", "alignment-faults",
        "emulation-faults", "dummy", "bpf-output", "cgroup-switches",
    };
    char text[60];

    if (event->type == TYPE_HARDWARE && event->config < ER_COUNT(hardware))
        return hardware[event->config];
    if (event->type == TYPE_SOFTWARE && event->config < ER_COUNT(software))
        return software[event->config];
    snprintf(text, sizeof(text), "event-%u-%" PRIx64, event->type, event->config);
    return import_text(p->im, text, sizeof(text));
}

int
perf_head_settle(struct perf *p)
{
    struct perf_event *clock = NULL;

    if (!p->nevents)
        return import_fail(p->im, "it describes no event");
    for (u32 i = 0; i < p->nevents; i++) {
        struct perf_event *event = &p->event[i];

        if (!event->name)
            event->name = name_of(p, event);
        if (event->is_clock && !clock) {
            clock = event;
            p->im->has_clock = true;
            p->im->clock_ns =
                event->frequency ? 1000000000 / event->frequency : event->period;
            continue;
        }
        if (event->type == TYPE_SOFTWARE && event->config == SOFTWARE_DUMMY)
            continue;
        /*
         * cpu-clock and task-clock count the same time. If there are both, the first
         * one is the clock, and the other one a counter.
         */
        event->is_clock = clock && event->is_clock && event->config == clock->config;
        if (event->is_clock)
            continue;
        event->counter = import_counter(p->im, event->name);
        if (event->counter < IMPORT_COUNTERS)
            p->im->counter[event->counter].interval = event->period;
    }
    return 0;
}

const struct perf_event *
perf_event_of(const struct perf *p, u64 id)
{
    u32 at = find_id(p, id);

    return at == HASH_NONE ? NULL : &p->event[p->id[at].event];
}

const char *
perf_buildid_of(const struct perf *p, const char *name)
{
    for (u32 i = 0; i < p->nbuildids; i++)
        if (!strcmp(p->buildid[i].name, name))
            return p->buildid[i].buildid;
    return "";
}
