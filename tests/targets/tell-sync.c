/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an experiment's trace of synchronization by the contract alone, for tests of
 * the collector that should not depend on er_print.
 *
 *   tell-sync EXPERIMENT [list]
 *
 * Prints lines: "wait KIND ERRNO COUNT NS", "hold KIND COUNT NS", "order KIND KIND
 * COUNT", "renew KIND COUNT", and "KEY VALUE" for what the rows of threads say and for
 * what cannot be. list: every record, its objects and places by their addresses.
 */
/* build: -O1 -g -I@S@/../.. */
/* link: @S@/../../share/chunk.c @S@/../../share/record.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/chunk.h"
#include "share/record.h"
#include "tell.h"

enum { FIELDS = 16, ERRORS = 256 };

static const char *const kinds[] = { "?",    "mutex",     "read",    "write",
                                     "spin", "condition", "barrier", "semaphore",
                                     "join", "once",      "file",    "?" };

struct sum {
    u64 count;
    u64 ticks;
};

static struct sum waits[SYNC_KIND_COUNT][ERRORS], holds[SYNC_KIND_COUNT];
static u64 orders[SYNC_KIND_COUNT][SYNC_KIND_COUNT], renews[SYNC_KIND_COUNT];
static u64 records, bad, backwards, chunk_dropped, bytes, held_by, placed, nodeless;
static struct {
    u64 ticks, ns;
} first, last;
static const unsigned char *nodes;
static u64 nodes_bytes;
static int listing;

static void
note_time(const struct er_chunk *chunk)
{
    if (!first.ticks || chunk->tsc0 < first.ticks) {
        first.ticks = chunk->tsc0;
        first.ns = chunk->mono0;
    }
    if (chunk->tsc0 > last.ticks) {
        last.ticks = chunk->tsc0;
        last.ns = chunk->mono0;
    }
}

static u64
ns_of(u64 shifted)
{
    double rate = last.ticks > first.ticks ? (double)(last.ns - first.ns) /
                                                 (double)(last.ticks - first.ticks)
                                           : 1;

    return (u64)((double)(shifted << SHIFT_synctrace) * rate);
}

/* One record's fields, in the order of its row. */
struct fields {
    const struct er_record_desc *desc;
    u64 value[FIELDS];
};

static u64
value_of(const struct fields *f, const char *name)
{
    for (u32 i = 0; i < f->desc->nfields; i++)
        if (!strcmp(f->desc->fields[i].name, name))
            return f->value[i];
    fprintf(stderr, "no field %s\n", name);
    exit(2);
}

static u64
pc_of(u64 node)
{
    u64 pc = 0;

    if (node && (node + 1) * ER_NODE_BYTES <= nodes_bytes)
        memcpy(&pc, nodes + node * ER_NODE_BYTES + 8, 6);
    return pc;
}

static u64
kind_of(u64 kind)
{
    return kind < SYNC_KIND_COUNT ? kind : 0;
}

static void
list(const struct fields *f, u32 thread)
{
    printf("%s thread=%u", f->desc->name, thread);
    for (u32 i = 0; i < f->desc->nfields; i++) {
        const char *name = f->desc->fields[i].name;
        u64 v = f->value[i];

        if (strstr(name, "node"))
            printf(" %s=%llx", name, (unsigned long long)pc_of(v));
        else if (strstr(name, "kind"))
            printf(" %s=%s", name, kinds[kind_of(v)]);
        else if (!strcmp(f->desc->fields[i].unit, "address"))
            printf(" %s=%llx", name, (unsigned long long)v);
        else
            printf(" %s=%llu", name, (unsigned long long)v);
    }
    printf("\n");
}

static void
count(const struct fields *f)
{
    u64 kind = kind_of(value_of(f, "kind"));
    struct sum *sum = NULL;

    if (f->desc->number == KIND_wait) {
        u64 error = value_of(f, "error");

        sum = &waits[kind][error < ERRORS ? error : 0];
        sum->ticks += value_of(f, "took");
        held_by += value_of(f, "holder") != 0;
        placed += value_of(f, "holder_node") != 0;
        nodeless += value_of(f, "node") == 0;
    } else if (f->desc->number == KIND_hold) {
        sum = &holds[kind];
        sum->ticks += value_of(f, "held");
        nodeless += value_of(f, "node") == 0;
    } else if (f->desc->number == KIND_order) {
        orders[kind_of(value_of(f, "held_kind"))][kind]++;
    } else {
        renews[kind]++;
    }
    if (sum)
        sum->count++;
}

static const struct er_record_desc *
desc_of(u32 kind)
{
    for (int i = 0; i < REC_COUNT; i++)
        if (er_records[i].file == FILE_synctrace && er_records[i].number == kind)
            return &er_records[i];
    return NULL;
}

static int
get_field(struct codec *c, const unsigned char **p, const unsigned char *end,
          enum er_encoding encoding, u64 *last_value, u64 *v)
{
    u32 node = 0;
    int ret;

    switch (encoding) {
    case ENC_VARINT:
        return get_varint(p, end, v);
    case ENC_ADDR:
        return get_addr(c, p, end, v);
    case ENC_NODE:
        ret = get_node(c, p, end, &node);
        *v = node;
        return ret;
    case ENC_REP:
        ret = get_varint(p, end, v);
        *v = *v ? *v - 1 : *last_value;
        *last_value = *v;
        return ret;
    default:
        return -1;
    }
}

static int
get_record(struct codec *c, u64 seen[8][FIELDS], const unsigned char **p,
           const unsigned char *end, struct fields *f)
{
    u64 before = c->time;
    u32 kind;

    if (get_head(c, p, end, &kind, &f->value[0]) < 0)
        return -1;
    f->desc = desc_of(kind);
    if (!f->desc || f->desc->nfields > FIELDS)
        return -1;
    backwards += f->value[0] < before && f->desc->number != KIND_hold;
    for (u32 i = 1; i < f->desc->nfields; i++)
        if (get_field(c, p, end, f->desc->fields[i].encoding, &seen[kind][i],
                      &f->value[i]) < 0)
            return -1;
    return 0;
}

static void
read_chunk(const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *p = (const unsigned char *)chunk + sizeof(*chunk);
    const unsigned char *end = (const unsigned char *)chunk + committed;
    u64 seen[8][FIELDS] = { { 0 } };
    struct codec codec;

    codec_start(&codec, chunk->tsc0 >> SHIFT_synctrace, chunk->prev_addr);
    chunk_dropped += chunk->dropped;
    bytes += committed;
    bad += !chunk_data_ok(chunk, committed);
    while (p < end) {
        struct fields f;

        if (get_record(&codec, seen, &p, end, &f) < 0) {
            bad++;
            return;
        }
        records++;
        if (listing)
            list(&f, chunk->thread_id);
        count(&f);
    }
}

static void
read_file(const char *experiment, const char *name, enum er_file file, int times_only)
{
    struct chunk_cursor cursor = { .file = file };
    const struct er_chunk *chunk;
    u64 where;
    u32 committed;
    int ret;

    cursor.data = map_file(experiment, name, &cursor.size);
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) != 0) {
        if (ret < 0)
            bad++;
        else if (times_only)
            note_time(chunk);
        else
            read_chunk(chunk, committed);
    }
}

static void
tell(const char *key, u64 value)
{
    printf("%s %llu\n", key, (unsigned long long)value);
}

static void
tell_sums(void)
{
    for (u32 k = 0; k < SYNC_KIND_COUNT; k++) {
        for (u32 e = 0; e < ERRORS; e++)
            if (waits[k][e].count)
                printf("wait %s %u %llu %llu\n", kinds[k], e,
                       (unsigned long long)waits[k][e].count,
                       (unsigned long long)ns_of(waits[k][e].ticks));
        if (holds[k].count)
            printf("hold %s %llu %llu\n", kinds[k], (unsigned long long)holds[k].count,
                   (unsigned long long)ns_of(holds[k].ticks));
        for (u32 o = 0; o < SYNC_KIND_COUNT; o++)
            if (orders[k][o])
                printf("order %s %s %llu\n", kinds[k], kinds[o],
                       (unsigned long long)orders[k][o]);
        if (renews[k])
            printf("renew %s %llu\n", kinds[k], (unsigned long long)renews[k]);
    }
}

static void
tell_threads(const char *experiment)
{
    u64 size, seen = 0, dropped = 0, calls = 0, unheld = 0, threads = 0;
    const struct rec_thread *row = (const void *)map_file(experiment, "threads", &size);

    for (u64 i = 1; i < size / sizeof(*row); i++) {
        if (!row[i].id)
            continue;
        threads++;
        seen += row[i].sync_seen;
        dropped += row[i].sync_dropped;
        calls += row[i].sync_calls;
        unheld += row[i].sync_unheld;
    }
    tell("threads", threads);
    tell("seen", seen);
    tell("dropped", dropped);
    tell("calls", calls);
    tell("unheld", unheld);
}

int
main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    nodes = map_file(argv[1], "frameinfo", &nodes_bytes);
    listing = argc > 2;
    read_file(argv[1], "overview", FILE_overview, 1);
    read_file(argv[1], "synctrace", FILE_synctrace, 1);
    read_file(argv[1], "synctrace", FILE_synctrace, 0);
    if (listing)
        return 0;
    tell_sums();
    tell("records", records);
    tell("bad", bad);
    tell("backwards", backwards);
    tell("nodeless", nodeless);
    tell("held_by", held_by);
    tell("placed", placed);
    tell("chunk_dropped", chunk_dropped);
    tell("file_bytes", bytes);
    tell_threads(argv[1]);
    return 0;
}
