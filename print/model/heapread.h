/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heap records as events: the beginnings and ends of blocks and mappings. For the
 * model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_HEAPREAD_H
#define ERTOOLS_PRINT_MODEL_HEAPREAD_H

#include "print/load/experiment.h"
#include "print/load/record/merge.h"

/* The low bits of event.tag; the bits above them are the thread's slot. */
enum heap_event {
    HEAP_NONE,
    HEAP_BEGIN,     /* addr, size, node */
    HEAP_END,       /* addr */
    HEAP_MOVE,      /* addr: the end of a block that realloc moves */
    HEAP_REFUSED,   /* size, node: an allocation that failed */
    HEAP_MAP,       /* addr, size, node; the tag has the kind of mapping */
    HEAP_UNMAP,     /* addr, size; the tag has the kind of mapping */
    HEAP_REMAP_END, /* addr; size, 0 = the old mapping stays */
    HEAP_REMAP,     /* addr, size, node */
    HEAP_EVENT_BITS = 4,
    HEAP_KIND_BITS = 3,
    HEAP_SLOT_SHIFT = HEAP_EVENT_BITS + HEAP_KIND_BITS,
};

static inline u32
heap_what(u32 tag)
{
    return tag & ((1u << HEAP_EVENT_BITS) - 1);
}

static inline u32
heap_map_kind(u32 tag)
{
    return tag >> HEAP_EVENT_BITS & ((1u << HEAP_KIND_BITS) - 1);
}

/* The indices of a record's fields in a row; -1 = it has no such field. */
struct heap_fields {
    u32 record; /* enum er_record; REC_COUNT = not of the heap, or without its fields */
    int time, addr, size, node, old, old_size, took, kind;
};

struct heap_reader {
    const struct threads *threads;
    u32 thread; /* id of the last record's thread */
    u32 slot;   /* of that thread: index in threads.row + 1, 0 = none */
    struct heap_fields fields[SCHEMA_KINDS];
};

void heapread_open(struct heap_reader *reader, const struct threads *threads,
                   const struct schema_file *schema);

/*
 * The member `translate` of struct merge_sink; its translator is a struct heap_reader.
 */
u32 heapread_translate(void *reader, const struct batch *record,
                       struct event event[MERGE_EVENTS_MAX]);

/* The bytes of a page where the experiment was recorded; 4096 if that is not known. */
u64 heapread_page_size(const struct experiment *e);

#endif
