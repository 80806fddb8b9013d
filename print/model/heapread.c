/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heapread.h"

#include <string.h>

#include "share/record.h"

/* The kind of a record by its name; REC_COUNT if it is another, or lacks fields. */
static u32
record_of(const struct heap_fields *f, const char *name)
{
    bool block = f->time >= 0 && f->addr >= 0;
    bool made = block && f->size >= 0 && f->node >= 0;

    if (!strcmp(name, "alloc") && made)
        return REC_alloc;
    if (!strcmp(name, "free") && block)
        return REC_free;
    if (!strcmp(name, "realloc") && made && f->old >= 0)
        return REC_realloc;
    if (!strcmp(name, "map") && made)
        return REC_map;
    if (!strcmp(name, "unmap") && block && f->size >= 0)
        return REC_unmap;
    if (!strcmp(name, "remap") && made && f->old >= 0 && f->old_size >= 0)
        return REC_remap;
    return REC_COUNT;
}

void
heapread_open(struct heap_reader *reader, const struct threads *threads,
              const struct schema_file *schema)
{
    *reader = (struct heap_reader){ .threads = threads };
    for (u32 i = 0; i < SCHEMA_KINDS; i++) {
        const struct schema_record *record = &schema->record[i];
        struct heap_fields *f = &reader->fields[i];

        f->record = REC_COUNT;
        if (!record->nfields)
            continue;
        f->time = schema_find_number(record, "time");
        f->addr = schema_find_number(record, "addr");
        f->size = schema_find_number(record, "size");
        f->node = schema_find_number(record, "node");
        f->old = schema_find_number(record, "old");
        f->old_size = schema_find_number(record, "old_size");
        f->took = schema_find_number(record, "took");
        f->kind = schema_find_number(record, "kind");
        f->record = record_of(f, record->name);
    }
}

static u32
find_slot(struct heap_reader *r, u32 thread)
{
    const struct thread_row *row = threads_find(r->threads, thread);

    r->thread = thread;
    r->slot = row ? (u32)(row - r->threads->row) + 1 : 0;
    return r->slot;
}

static u64
begins(u64 time)
{
    return time << 1 | 1;
}

static u64
ends(u64 time)
{
    return time << 1;
}

static u32
map_kind(const struct heap_fields *f, const u64 *row)
{
    u64 kind = f->kind < 0 ? 0 : row[f->kind];

    return kind <= MAP_KIND_NO_ACCESS ? (u32)kind << HEAP_EVENT_BITS : 0;
}

/*
 * Make the two events of a realloc or remap: the end of the old block when the call
 * began, and the beginning of the new block when it returned.
 */
static u32
read_replacing(const struct heap_fields *f, const u64 *row, u32 slot,
               struct event *event)
{
    bool block = f->record == REC_realloc;
    u64 time = row[f->time], took = f->took < 0 ? 0 : row[f->took];

    event[0] = (struct event){
        .order = ends(took < time ? time - took : 0),
        .addr = row[f->old],
        .size = block ? 0 : row[f->old_size],
        .tag = slot | (block ? HEAP_MOVE : HEAP_REMAP_END),
    };
    event[1] = (struct event){
        .order = begins(time),
        .addr = row[f->addr],
        .size = row[f->size],
        .node = (u32)row[f->node],
        .tag = slot | (block ? HEAP_BEGIN : HEAP_REMAP),
    };
    return 2;
}

u32
heapread_translate(void *reader, const struct batch *batch,
                   struct event event[MERGE_EVENTS_MAX])
{
    struct heap_reader *r = reader;
    const struct heap_fields *f = &r->fields[batch->record->number];
    const u64 *row = batch->row;
    u32 slot = batch->thread == r->thread ? r->slot : find_slot(r, batch->thread);

    slot <<= HEAP_SLOT_SHIFT;
    switch (f->record) {
    case REC_alloc:
        *event = (struct event){ begins(row[f->time]), row[f->addr], row[f->size],
                                 (u32)row[f->node],
                                 slot | (row[f->addr] ? HEAP_BEGIN : HEAP_REFUSED) };
        return 1;
    case REC_free:
        *event = (struct event){ ends(row[f->time]), row[f->addr], 0, 0,
                                 slot | HEAP_END };
        return 1;
    case REC_map:
        *event = (struct event){ begins(row[f->time]), row[f->addr], row[f->size],
                                 (u32)row[f->node],
                                 slot | HEAP_MAP | map_kind(f, row) };
        return 1;
    case REC_unmap:
        *event = (struct event){ ends(row[f->time]), row[f->addr], row[f->size], 0,
                                 slot | HEAP_UNMAP | map_kind(f, row) };
        return 1;
    case REC_realloc:
    case REC_remap:
        return read_replacing(f, row, slot, event);
    default:
        return 0;
    }
}

u64
heapread_page_size(const struct experiment *e)
{
    const char *text = log_fact(&e->log, "host", "page_size");
    u64 page = text ? strtoull(text, NULL, 10) : 0;

    return page >= 4096 && page <= 1 << 24 && !(page & (page - 1)) ? page : 4096;
}
