/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes perf.data: each hit of the clock or of a counter is a sample with its stack,
 * for `perf report` and programs that read its files. Load objects are mapped where
 * outmap.h places them, in all processes alike, with their build-ids. CPU time without
 * a stack has no sample. Numbers are those of perf_event_open(2) and of
 * perf.data-file-format.txt.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/stacks.h"
#include "print/out/outevents.h"
#include "print/out/outmap.h"

enum {
    HEAD_BYTES = 104,
    ATTR_BYTES = 112,
    ATTR_ENTRY = ATTR_BYTES + 16, /* a description of an event, with offset and size
                                     of its ids */
    RECORD_MMAP2 = 10,
    RECORD_COMM = 3,
    RECORD_SAMPLE = 9,
    MISC_USER = 2,
    MISC_BUILD_ID = 1 << 14,
    BUILD_ID_BYTES = 20,
    CHAIN_MOST = 8000, /* pcs of a sample: a record has no more than 64 KiB */
    SAMPLE_BYTES = 72, /* of a sample without pcs */
    TEXT_MOST = 4000,
    FIRST_ID = 1,
    /* IP, TID, TIME, CALLCHAIN, CPU, PERIOD and IDENTIFIER */
    SAMPLE_TYPE = 1 | 2 | 4 | 32 | 128 | 256 | 65536,
    TYPE_SOFTWARE = 1,
    SOFTWARE_TASK_CLOCK = 1,
    SOFTWARE_DUMMY = 9,
    FEATURE_EVENTS = 12,
};

#define CONTEXT_USER ((u64)-512)
#define FLAG_SAMPLE_ID_ALL ((u64)1 << 18)

/* What a stack node adds to a sample's chain. */
struct chain_frame {
    u64 pc;    /* 0 = nothing */
    u32 depth; /* how many pcs the whole stack has */
};

struct writer {
    struct out *out;
    bool measuring; /* nothing is written yet: the records' sizes are added up */
    u64 size;
    struct chain_frame *frame; /* by node of the session */
    u32 frames, frames_room;
    struct stackset set; /* tells which objects stacks are in */
    struct outmap map;
    u64 base; /* the time, in ns, that counts as 0 */
    u32 index; /* the experiment's */
    u64 lost; /* stacks longer than a record can be */
};

/* A record that is being made. */
struct record {
    unsigned char data[65536];
    size_t len;
};

static void
add(struct record *r, const void *data, size_t len)
{
    memcpy(r->data + r->len, data, len);
    r->len += len;
}

static void
add_u32(struct record *r, u32 value)
{
    add(r, &value, sizeof(value));
}

static void
add_u64(struct record *r, u64 value)
{
    add(r, &value, sizeof(value));
}

/* Add text, padded with zeros to a multiple of 8 bytes; with at least one zero. */
static void
add_text(struct record *r, const char *text)
{
    static const char zeros[8];
    size_t len = strlen(text);

    if (len > TEXT_MOST)
        len = TEXT_MOST;
    add(r, text, len);
    add(r, zeros, 8 - len % 8);
}

static void
begin(struct record *r, u32 type, u32 misc)
{
    uint16_t low = (uint16_t)misc, size = 0;

    r->len = 0;
    add_u32(r, type);
    add(r, &low, 2);
    add(r, &size, 2);
}

static void
end(struct writer *w, struct record *r)
{
    uint16_t size = (uint16_t)r->len;

    memcpy(r->data + 6, &size, 2);
    if (w->measuring)
        w->size += r->len;
    else
        fwrite(r->data, 1, r->len, w->out->f);
}

/*
 * Add the fields that end a record other than a sample: thread; time and processor,
 * which are 0; event id.
 */
static void
add_trailer(struct record *r, u32 pid, u32 tid)
{
    add_u32(r, pid);
    add_u32(r, tid);
    add_u64(r, 0);
    add_u64(r, 0);
    add_u64(r, FIRST_ID);
}

static u32
put_buildid(struct record *r, const char *hex)
{
    unsigned char id[BUILD_ID_BYTES] = { 0 };
    u32 size = 0;

    for (; size < BUILD_ID_BYTES && hex[2 * size] && hex[2 * size + 1]; size++) {
        unsigned byte = 0;

        sscanf(hex + 2 * size, "%2x", &byte);
        id[size] = (unsigned char)byte;
    }
    add_u32(r, size);
    add(r, id, sizeof(id));
    return size;
}

/*
 * Add a load object as a mapping. The file's part with the code is assumed to be mapped
 * as it was linked.
 */
static void
put_object(struct writer *w, struct record *r, const struct outmap_row *row)
{
    const struct experiment *e = w->out->session->experiment[w->index];
    struct object_info o;

    object_get(w->out->session, row->object, &o);
    begin(r, RECORD_MMAP2, MISC_USER | (*o.buildid ? MISC_BUILD_ID : 0));
    add_u32(r, e->pid);
    add_u32(r, e->pid);
    add_u64(r, row->start);
    add_u64(r, row->end - row->start);
    add_u64(r, outmap_offset(w->out->session, row));
    put_buildid(r, o.buildid);
    add_u32(r, 5); /* PROT_READ | PROT_EXEC */
    add_u32(r, 2); /* MAP_PRIVATE */
    add_text(r, o.path);
    add_trailer(r, e->pid, e->pid);
    end(w, r);
}

static void
put_tasks(struct writer *w, struct record *r)
{
    const struct experiment *e = w->out->session->experiment[w->index];
    const char *program = log_fact(&e->log, "process", "exe");
    const char *slash = program ? strrchr(program, '/') : NULL;
    char name[16];

    snprintf(name, sizeof(name), "%s", slash ? slash + 1 : program ? program : "");
    for (u32 i = 0; i <= e->threads.count; i++) {
        const struct thread_row *t = i ? &e->threads.row[i - 1] : NULL;

        begin(r, RECORD_COMM, 0);
        add_u32(r, e->pid);
        add_u32(r, t ? t->tid : e->pid);
        add_text(r, t && *t->name && t->tid != e->pid ? t->name : name);
        add_trailer(r, e->pid, t ? t->tid : e->pid);
        end(w, r);
    }
}

/*
 * The pc of a stack node in the address space of outmap.h; 0 = it has none. A caller's
 * pc is the return address.
 */
static u64
pc_of(const struct writer *w, u32 node)
{
    const struct stacks *stacks = w->out->session->stacks;
    const struct site *site = &stacks->sites.site[stacks->node[node].site];
    const struct outmap_row *row;

    if (stacks->node[node].site < FUNC_PSEUDO_COUNT)
        return 0;
    row = outmap_of(&w->map, site->object);
    return row ? site->vaddr + row->bias + site->call : 0;
}

/* Get the id of the event of which the record is a hit; 0 = it is not a hit. */
static u64
event_of(const struct outevent *event)
{
    u64 counter;

    if (!strcmp(event->record->name, "clock"))
        return FIRST_ID;
    if (strcmp(event->record->name, "count") && strcmp(event->record->name, "access"))
        return 0;
    counter = outevent_get(event, "counter", ER_COUNTERS);
    return counter < ER_COUNTERS ? FIRST_ID + 1 + counter : 0;
}

/* Find the pcs of nodes that are new; a node's parent has a lower number. */
static int
add_frames(struct writer *w)
{
    const struct stacks *stacks = w->out->session->stacks;

    if (array_room(&w->frame, &w->frames_room, stacks->count, sizeof(*w->frame)) < 0)
        return -ENOMEM;
    for (; w->frames < stacks->count; w->frames++) {
        u32 at = w->frames;
        struct chain_frame new = { .pc = at ? pc_of(w, at) : 0 };

        new.depth = (at ? w->frame[stacks->node[at].parent].depth : 0) + !!new.pc;
        w->frame[at] = new;
    }
    return 0;
}

/* Put a stack into `chain`, the leaf first; returns how many pcs it has. */
static u32
get_chain(const struct writer *w, u32 node, u64 *chain)
{
    const struct stack *stack = w->out->session->stacks->node;
    u32 count = 0;

    for (; node && count < CHAIN_MOST; node = stack[node].parent) {
        chain[count] = w->frame[node].pc;
        count += !!chain[count];
    }
    return count;
}

static void
write_sample(struct writer *w, const struct outevent *event, u64 id)
{
    u64 chain[CHAIN_MOST];
    u32 count = get_chain(w, event->node, chain);
    struct record r;

    begin(&r, RECORD_SAMPLE, MISC_USER);
    add_u64(&r, id);
    add_u64(&r, count ? chain[0] : 0);
    add_u32(&r, event->experiment->pid);
    add_u32(&r, event->thread ? event->thread->tid : event->experiment->pid);
    add_u64(&r, event->experiment->origin_mono - w->base + event->ns + 1);
    add_u32(&r, (u32)outevent_get(event, "cpu", 0));
    add_u32(&r, 0);
    add_u64(&r, outevent_get(event, "weight", outevent_get(event, "value", 1)));
    add_u64(&r, count + 1);
    add_u64(&r, CONTEXT_USER);
    add(&r, chain, count * sizeof(*chain));
    end(w, &r);
}

static int
put_sample(void *context, const struct outevent *event)
{
    struct writer *w = context;
    u64 id = event_of(event);
    u32 depth;

    if (!id)
        return 0;
    if (event->node >= w->frames && add_frames(w) < 0)
        return -ENOMEM;
    depth = w->frame[event->node].depth;
    if (!w->measuring) {
        write_sample(w, event, id);
        return 0;
    }
    w->lost += depth > CHAIN_MOST;
    w->size += SAMPLE_BYTES + 8 * (depth < CHAIN_MOST ? depth : CHAIN_MOST);
    return 0;
}

/* The name of an event: the clock, or a counter of the first experiment. */
static const char *
event_name(const struct session *s, u32 event)
{
    const struct counters *c = &s->experiment[0]->counters;

    if (!event)
        return "task-clock";
    return event <= c->count ? c->row[event - 1].name : NULL;
}

static void
put_attr(struct record *r, u32 event)
{
    add_u32(r, TYPE_SOFTWARE);
    add_u32(r, ATTR_BYTES);
    add_u64(r, event ? SOFTWARE_DUMMY : SOFTWARE_TASK_CLOCK);
    add_u64(r, 1); /* the period: each sample has its own */
    add_u64(r, SAMPLE_TYPE);
    add_u64(r, 0);
    add_u64(r, FLAG_SAMPLE_ID_ALL);
    for (u32 i = 48; i < ATTR_BYTES; i += 8)
        add_u64(r, 0);
}

static u32
count_events(const struct session *s)
{
    u32 count = 1;

    while (event_name(s, count))
        count++;
    return count;
}

/* Make the table with the names of events. */
static size_t
make_names(const struct session *s, struct record *r)
{
    u32 count = count_events(s);

    r->len = 0;
    add_u32(r, count);
    add_u32(r, ATTR_BYTES);
    for (u32 i = 0; i < count; i++) {
        const char *name = event_name(s, i);
        u32 size = (u32)(strlen(name) + 8 - strlen(name) % 8);

        put_attr(r, i);
        add_u32(r, 1);
        add_u32(r, size);
        add_text(r, name);
        add_u64(r, FIRST_ID + i);
    }
    return r->len;
}

/* Write the file's head; done when the size of the records is known. */
static void
put_header(struct writer *w, u64 size)
{
    u32 count = count_events(w->out->session);
    u64 ids = HEAD_BYTES, attrs = ids + 8 * count;
    u64 data = attrs + (u64)count * ATTR_ENTRY;
    struct record r = { .len = 0 };

    add(&r, "PERFILE2", 8);
    add_u64(&r, HEAD_BYTES);
    add_u64(&r, ATTR_ENTRY);
    add_u64(&r, attrs);
    add_u64(&r, (u64)count * ATTR_ENTRY);
    add_u64(&r, data);
    add_u64(&r, size);
    add_u64(&r, 0);
    add_u64(&r, 0);
    add_u64(&r, 1u << FEATURE_EVENTS);
    for (u32 i = 0; i < 3; i++)
        add_u64(&r, 0);
    for (u32 i = 0; i < count; i++)
        add_u64(&r, FIRST_ID + i);
    for (u32 i = 0; i < count; i++) {
        put_attr(&r, i);
        add_u64(&r, ids + 8 * i);
        add_u64(&r, 8);
    }
    fwrite(r.data, 1, r.len, w->out->f);
}

static int
put_records(struct writer *w)
{
    const struct session *s = w->out->session;
    struct record r;
    int ret = 0;

    for (w->index = 0; w->index < s->nexperiments && ret == 0; w->index++) {
        put_tasks(w, &r);
        for (u32 i = 0; i < w->map.count; i++)
            put_object(w, &r, &w->map.row[i]);
        ret = outevents_scan(w->out, w->index, FILE_profile, put_sample, w);
        if (ret == 0)
            ret = outevents_scan(w->out, w->index, FILE_hwcounters, put_sample, w);
    }
    return ret;
}

/*
 * Write the file. Its head contains the size of all records: so they are made twice,
 * first only to add up their sizes.
 */
static int
put_file(struct writer *w)
{
    FILE *f = w->out->f;
    struct record names;
    u32 count = count_events(w->out->session);
    u64 before = HEAD_BYTES + (u64)count * (8 + ATTR_ENTRY), table[2];
    int ret;

    w->measuring = true;
    ret = put_records(w);
    w->measuring = false;
    if (ret < 0)
        return ret;
    put_header(w, w->size);
    ret = put_records(w);
    table[0] = before + w->size + sizeof(table);
    table[1] = make_names(w->out->session, &names);
    fwrite(table, 1, sizeof(table), f);
    fwrite(names.data, 1, names.len, f);
    return ret;
}

int
out_perf(struct out *out)
{
    struct writer w = { .out = out, .base = outevents_base(out->session) };
    int ret = stackset_open(out, &w.set);

    if (ret == 0)
        ret = outmap_open(out, &w.set, &w.map);
    if (ret == 0)
        ret = put_file(&w);
    if (w.lost)
        out_warn(out, "%" PRIu64 " stacks of more than %d frames are cut at their root",
                 w.lost, CHAIN_MOST);
    free(w.frame);
    outmap_close(&w.map);
    stackset_close(&w.set);
    return ret;
}
