/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/data/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/heapread.h"
#include "print/model/ranges.h"

struct region_reader {
    struct memory_regions regions;
    int mono, addr, size, kind, name;
    bool no_memory;
};

static u64
get(const u64 *row, int field)
{
    return field < 0 ? 0 : row[field];
}

static void
add_region(struct region_reader *t, const u64 *row)
{
    struct memory_regions *r = &t->regions;
    const struct er_str *str =
        t->name < 0 ? NULL : (const void *)(uintptr_t)row[t->name];
    struct memory_region out = {
        .mono = get(row, t->mono),
        .lo = get(row, t->addr),
        .hi = get(row, t->addr) + get(row, t->size),
        .kind = (u32)get(row, t->kind),
    };

    if (out.hi <= out.lo)
        return;
    out.name = str ? strndup(str->s, str->len) : strdup("");
    if (!out.name || array_room(&r->row, &r->room, r->count + 1, sizeof(out)) < 0) {
        free(out.name);
        t->no_memory = true;
        return;
    }
    r->row[r->count++] = out;
}

static void
on_region(void *context, const struct batch *batch)
{
    struct region_reader *t = context;

    if (strcmp(batch->record->name, "region"))
        return;
    for (u32 i = 0; i < batch->count; i++)
        add_region(t, batch->row + (u64)i * batch->record->nfields);
}

static int
by_time(const void *a, const void *b)
{
    const struct memory_region *x = a, *y = b;

    return x->mono < y->mono ? -1 : x->mono > y->mono;
}

int
memory_regions_read(struct experiment *e, struct memory_regions *out)
{
    const struct schema_record *record = NULL;
    struct region_reader t = { .no_memory = false };
    struct record_sink sink = { on_region, &t, false };
    struct record_source source;
    int ret;

    if (experiment_source(e, FILE_overview, &source) == 0)
        record = schema_find_record(source.schema, "region");
    if (!record) {
        *out = t.regions;
        return 0;
    }
    t.mono = schema_find_number(record, "mono");
    t.addr = schema_find_number(record, "addr");
    t.size = schema_find_number(record, "size");
    t.kind = schema_find_number(record, "kind");
    t.name = schema_find_field(record, "name");
    if (t.name >= 0 && record->field[t.name].encoding != ENC_STR)
        t.name = -1;
    ret = records_scan(&source, &sink, 1, NULL);
    if (ret == 0 && t.no_memory)
        ret = -ENOMEM;
    if (ret < 0) {
        memory_regions_free(&t.regions);
        return ret;
    }
    if (t.regions.count > 1)
        qsort(t.regions.row, t.regions.count, sizeof(*t.regions.row), by_time);
    *out = t.regions;
    return 0;
}

void
memory_regions_free(struct memory_regions *regions)
{
    for (u32 i = 0; i < regions->count; i++)
        free(regions->row[i].name);
    free(regions->row);
    *regions = (struct memory_regions){ NULL, 0, 0 };
}

/* A live block; ranges have its index as their `mapping`. */
struct block {
    u64 lo, size;
    u32 node;
    bool mapping;
    int pieces; /* number of its ranges; when it becomes 0, the index is unused */
    u32 free;   /* if unused: the next unused index + 1, 0 = none */
};

struct answering {
    struct memory_question *question;
    u64 count, next; /* number of questions; index of the first without an answer */
    u32 shift; /* time_shift of the heap's file */
    struct ranges live;
    struct block *block;
    u32 blocks, room, free;
    bool no_memory;
};

static void
on_pieces(void *context, u32 number, u64 bytes, int more)
{
    struct answering *a = context;
    struct block *block = &a->block[number];

    (void)bytes;
    block->pieces += more;
    if (block->pieces > 0)
        return;
    block->free = a->free;
    a->free = number + 1;
}

/* Store a block, and set *number to its index. 0 or -ENOMEM. */
static int
number_of(struct answering *a, const struct block *block, u32 *number)
{
    if (a->free) {
        *number = a->free - 1;
        a->free = a->block[*number].free;
    } else {
        if (array_room(&a->block, &a->room, a->blocks + 1, sizeof(*block)) < 0)
            return -ENOMEM;
        *number = a->blocks++;
    }
    a->block[*number] = *block;
    return 0;
}

/*
 * Answer the questions about moments before `order`: that of the next event.
 */
static void
answer_before(struct answering *a, u64 order)
{
    for (; a->next < a->count; a->next++) {
        struct memory_question *q = &a->question[a->next];
        const struct range *range;

        if ((q->ticks >> a->shift) << 1 >= order)
            return;
        range = ranges_find(&a->live, q->addr);
        if (!range)
            continue;
        q->block = a->block[range->mapping].lo;
        q->size = a->block[range->mapping].size;
        q->node = a->block[range->mapping].node;
        q->mapping = a->block[range->mapping].mapping;
    }
}

static void
begin(struct answering *a, const struct event *e, bool mapping)
{
    struct block block = { e->addr, e->size, e->node, mapping, 0, 0 };
    u64 hi = e->addr + e->size;
    u32 number;

    if (hi <= e->addr)
        return;
    if (ranges_cut(&a->live, e->addr, hi) < 0 || number_of(a, &block, &number) < 0 ||
        ranges_add(&a->live, e->addr, hi, number) < 0)
        a->no_memory = true;
}

static void
end(struct answering *a, u64 addr)
{
    const struct range *range = ranges_find(&a->live, addr);

    if (range && range->lo == addr && ranges_cut(&a->live, range->lo, range->hi) < 0)
        a->no_memory = true;
}

static void
cut(struct answering *a, const struct event *e)
{
    if (e->size && e->addr + e->size > e->addr &&
        ranges_cut(&a->live, e->addr, e->addr + e->size) < 0)
        a->no_memory = true;
}

static void
on_events(void *context, const struct event *event, u32 count)
{
    struct answering *a = context;

    for (u32 i = 0; i < count && !a->no_memory; i++) {
        const struct event *e = &event[i];

        answer_before(a, e->order);
        switch (heap_what(e->tag)) {
        case HEAP_BEGIN:
            begin(a, e, false);
            break;
        case HEAP_END:
        case HEAP_MOVE:
            end(a, e->addr);
            break;
        case HEAP_MAP:
            /*
             * The mapping of a file only ends other memory here: memory_regions know
             * better where files and the break are mapped.
             */
            if (heap_map_kind(e->tag) == MAP_KIND_ANONYMOUS)
                begin(a, e, true);
            else if (heap_map_kind(e->tag) == MAP_KIND_FILE)
                cut(a, e);
            break;
        case HEAP_REMAP:
            begin(a, e, true);
            break;
        case HEAP_UNMAP:
        case HEAP_REMAP_END:
            cut(a, e);
            break;
        default:
            break;
        }
    }
}

int
memory_blocks(struct experiment *e, struct memory_question *question, u64 count)
{
    struct answering a = { .question = question, .count = count };
    struct heap_reader reader;
    struct merge_sink sink = { heapread_translate, &reader, on_events, &a };
    struct record_source source;
    int ret;

    if (!count || experiment_source(e, FILE_heaptrace, &source) < 0)
        return 0;
    a.shift = source.schema->time_shift;
    a.live.pieces = on_pieces;
    a.live.context = &a;
    heapread_open(&reader, &e->threads, source.schema);
    ret = merge_run(&source, &sink, false, NULL);
    if (ret == 0)
        answer_before(&a, UINT64_MAX);
    if (a.no_memory)
        ret = -ENOMEM;
    ranges_free(&a.live);
    free(a.block);
    return ret;
}
