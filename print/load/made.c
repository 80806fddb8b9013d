/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/made.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/load/record/decode.h"
#include "print/base/hash.h"

enum {
    ALIGN = 16, /* bytes: of functions in the space of vaddr */
    ADDRESS_BITS = 47, /* a function at a higher address is a broken record */
    SIZE_MAX_BITS = 28, /* so is a function of more bytes */
};

/* Indices in `room` of struct made. */
enum {
    ROOM_FUNCTIONS,
    ROOM_SOURCES,
    ROOM_CALLS,
    ROOM_ROWS,
    ROOM_BYTES,
    ROOM_CONSTANTS,
};

/* The indices of fields; -1 = the log does not describe such a field. */
struct fields {
    int addr, size, since, origin, line, name, declared, first;
};

/* State of adding one file. */
struct adding {
    struct made *made;
    const struct clock *clock;
    struct fields field[SCHEMA_KINDS];
    u64 until;
    bool open; /* sources, lines etc. that follow belong to the last function */
    int error;
};

static u64
value(const u64 *row, int field)
{
    return field < 0 ? 0 : row[field];
}

static struct er_str
string(const u64 *row, int field)
{
    if (field < 0)
        return (struct er_str){ "", 0 };
    return *(const struct er_str *)(uintptr_t)row[field];
}

static struct made_function *
current(const struct adding *a)
{
    return a->open ? &a->made->function[a->made->count - 1] : NULL;
}

static u64
since(const struct adding *a, const u64 *row, int field)
{
    u64 mono = value(row, field);

    if (!mono)
        return row[0];
    return mono == MADE_ALWAYS ? 0 : clock_tick(a->clock, mono);
}

/*
 * Add a function. A record `gone` becomes one whose name.s is NULL: all functions in
 * its range are gone.
 */
static int
add_function(struct adding *a, const struct schema_record *record, const u64 *row)
{
    const struct fields *f = &a->field[record->number];
    struct made *m = a->made;
    struct made_function new = {
        .addr = value(row, f->addr),
        .size = value(row, f->size),
        .from = since(a, row, f->since),
        .to = UINT64_MAX,
        .origin = (u32)value(row, f->origin),
        .line = (u32)value(row, f->line),
        .name = record->number == KIND_made ? string(row, f->name)
                                            : (struct er_str){ NULL, 0 },
        .sources = { m->nsources, 0 },
        .inlined = { m->ncalls, 0 },
        .lines = { m->nrows, 0 },
        .bytes = { m->nbytes, 0 },
        .constants = { m->nconstants, 0 },
    };

    a->open = false;
    if (!new.size || new.addr >> ADDRESS_BITS || new.size >> SIZE_MAX_BITS ||
        new.from >= a->until)
        return 0;
    if (array_room(&m->function, &m->room[ROOM_FUNCTIONS], m->count + 1,
                   sizeof(new)) < 0)
        return -ENOMEM;
    m->function[m->count++] = new;
    a->open = record->number == KIND_made;
    return 0;
}

static int
add_source(struct adding *a, const struct fields *f, const u64 *row)
{
    struct made *m = a->made;

    if (array_room(&m->source, &m->room[ROOM_SOURCES], m->nsources + 1,
                   sizeof(*m->source)) < 0)
        return -ENOMEM;
    m->source[m->nsources++] = string(row, f->name);
    current(a)->sources.count++;
    return 0;
}

static int
add_call(struct adding *a, const struct schema_record *record, const u64 *row)
{
    const struct fields *f = &a->field[record->number];
    struct made *m = a->made;
    struct made_call new = {
        .parent = (u32)value(row, f->size),
        .source = (u32)value(row, f->since),
        .line = (u32)value(row, f->line),
        .name = string(row, f->name),
        .declared = (u32)value(row, f->declared),
        .first = (u32)value(row, f->first),
    };

    if (new.parent > current(a)->inlined.count)
        new.parent = 0;
    if (array_room(&m->call, &m->room[ROOM_CALLS], m->ncalls + 1, sizeof(new)) < 0)
        return -ENOMEM;
    m->call[m->ncalls++] = new;
    current(a)->inlined.count++;
    return 0;
}

static int
add_row(struct adding *a, const struct schema_record *record, const u64 *row)
{
    const struct fields *f = &a->field[record->number];
    struct made *m = a->made;
    struct made_row new = {
        .offset = value(row, f->addr),
        .source = (u32)value(row, f->since),
        .line = (u32)value(row, f->line),
        .inlined = (u32)value(row, f->size),
    };

    if (new.offset >= current(a)->size)
        return 0;
    if (array_room(&m->row, &m->room[ROOM_ROWS], m->nrows + 1, sizeof(new)) < 0)
        return -ENOMEM;
    m->row[m->nrows++] = new;
    current(a)->lines.count++;
    return 0;
}

static int
add_constant(struct made *m, struct made_function *function, u32 index,
             struct er_str text)
{
    if (array_room(&m->constant, &m->room[ROOM_CONSTANTS], m->nconstants + 1,
                   sizeof(*m->constant)) < 0)
        return -ENOMEM;
    m->constant[m->nconstants++] = (struct made_constant){ index, text };
    function->constants.count++;
    return 0;
}

static int
add_bytes(struct adding *a, const struct fields *f, const u64 *row)
{
    struct made *m = a->made;
    u32 index = (u32)value(row, f->addr);

    if (index)
        return add_constant(m, current(a), index, string(row, f->name));
    if (array_room(&m->bytes, &m->room[ROOM_BYTES], m->nbytes + 1,
                   sizeof(*m->bytes)) < 0)
        return -ENOMEM;
    m->bytes[m->nbytes++] = string(row, f->name);
    current(a)->bytes.count++;
    return 0;
}

static int
add_record(struct adding *a, const struct schema_record *record, const u64 *row)
{
    if (record->number == KIND_made || record->number == KIND_gone)
        return add_function(a, record, row);
    if (!a->open)
        return 0;
    switch (record->number) {
    case KIND_source:
        return add_source(a, &a->field[KIND_source], row);
    case KIND_inlined:
        return add_call(a, record, row);
    case KIND_line:
        return add_row(a, record, row);
    case KIND_bytes:
        return add_bytes(a, &a->field[KIND_bytes], row);
    default:
        return 0;
    }
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct adding *a = context;

    for (u32 i = 0; i < batch->count && a->error == 0; i++)
        a->error = add_record(a, batch->record,
                              batch->row + (u64)i * batch->record->nfields);
}

/* Find the fields that this program knows, by their names. */
static void
find_fields(struct adding *a, const struct schema_file *schema)
{
    static const char *const names[SCHEMA_KINDS][6] = {
        [KIND_made] = { "addr", "size", "since", "origin", "line", "name" },
        [KIND_gone] = { "addr", "size", "since", "", "", "" },
        [KIND_source] = { "", "", "", "", "", "path" },
        [KIND_inlined] = { "", "parent", "source", "", "line", "name" },
        [KIND_line] = { "offset", "inlined", "source", "", "line", "" },
        [KIND_bytes] = { "constant", "", "", "", "", "code" },
    };

    for (u32 k = 1; k < SCHEMA_KINDS; k++) {
        const struct schema_record *r = &schema->record[k];
        struct fields *f = &a->field[k];
        int *const out[] = { &f->addr, &f->size, &f->since, &f->origin, &f->line };

        for (u32 i = 0; i < ER_COUNT(out); i++)
            *out[i] = names[k][i] && *names[k][i] ? schema_find_number(r, names[k][i])
                                                  : -1;
        f->declared = schema_find_number(r, "declared");
        f->first = schema_find_number(r, "first");
        f->name = names[k][5] ? schema_find_field(r, names[k][5]) : -1;
        if (f->name >= 0 && r->field[f->name].encoding != ENC_STR)
            f->name = -1;
    }
}

struct place {
    const struct er_chunk *chunk;
    u32 committed;
    u64 where;
};

static int
by_owner(const void *a, const void *b)
{
    const struct place *left = a, *right = b;

    if (left->chunk->thread_id != right->chunk->thread_id)
        return left->chunk->thread_id < right->chunk->thread_id ? -1 : 1;
    if (left->chunk->chunk_seq != right->chunk->chunk_seq)
        return left->chunk->chunk_seq < right->chunk->chunk_seq ? -1 : 1;
    return left->where < right->where ? -1 : left->where > right->where;
}

/*
 * List the chunks, sorted by writer, and then in the order in which they were written.
 */
static int
list_chunks(const struct record_source *source, struct place **out, u32 *count)
{
    struct chunk_cursor cursor = { .data = source->data, .size = source->size,
                                   .file = source->schema->number };
    struct place *place = NULL, at = { 0 };
    u32 n = 0, room = 0;
    int got;

    while ((got = chunk_next(&cursor, &at.chunk, &at.committed, &at.where))) {
        if (got < 0) {
            scan_report_bad_chunk(source, at.where);
            continue;
        }
        if (array_room(&place, &room, n + 1, sizeof(at)) < 0) {
            free(place);
            return -ENOMEM;
        }
        place[n++] = at;
    }
    if (n)
        qsort(place, n, sizeof(*place), by_owner);
    *out = place;
    *count = n;
    return 0;
}

static int
run(struct adding *a, struct decoder *decoder, const struct record_source *source,
    const struct place *place)
{
    u32 believed = scan_believe(source, place->chunk, place->committed,
                                   place->where), at = 0;
    u64 records = 0;

    if (!believed || decoder_run(decoder, place->chunk, believed, &at, &records) < 0) {
        if (believed == place->chunk->committed)
            scan_report_bad_record(source, place->where + at);
        a->open = false;
    }
    return a->error;
}

int
made_add(struct made *made, const struct record_source *source,
         const struct clock *clock, u64 until)
{
    struct adding a = { .made = made, .clock = clock, .until = until };
    struct record_sink sink = { on_batch, &a, true };
    struct decoder *decoder = decoder_new(source, &sink, 0, true);
    struct place *place = NULL;
    u32 count = 0, seq = 0;
    int ret = decoder ? list_chunks(source, &place, &count) : -ENOMEM;

    find_fields(&a, source->schema);
    for (u32 i = 0; i < count && ret == 0; i++) {
        /*
         * Another writer begins, or a chunk is missing: ignore records that belong to a
         * function in an earlier chunk.
         */
        if (place[i].chunk->chunk_seq != seq + 1)
            a.open = false;
        seq = place[i].chunk->chunk_seq;
        ret = run(&a, decoder, source, &place[i]);
    }
    decoder_free(decoder);
    free(place);
    return ret;
}

/*
 * Compare address ranges; those that overlap are equal. For a tree of the functions
 * that exist at one moment.
 */
static int
by_range(const void *a, const void *b)
{
    const struct made_function *left = a, *right = b;

    if (left->addr + left->size <= right->addr)
        return -1;
    return left->addr >= right->addr + right->size;
}

static int
by_time(const void *a, const void *b, void *context)
{
    const struct made *m = context;
    u32 left = *(const u32 *)a, right = *(const u32 *)b;

    if (m->function[left].from != m->function[right].from)
        return m->function[left].from < m->function[right].from ? -1 : 1;
    return left < right ? -1 : left > right;
}

/*
 * Set `to` of each function: when the next function that overlaps it begins, or the
 * range is gone.
 */
static int
close_intervals(struct made *m)
{
    u32 *order = malloc(((size_t)m->count + 1) * sizeof(*order));
    void *tree = NULL;
    struct made_function **found;
    int ret = order ? 0 : -ENOMEM;

    for (u32 i = 0; order && i < m->count; i++)
        order[i] = i;
    if (order)
        qsort_r(order, m->count, sizeof(*order), by_time, m);
    for (u32 i = 0; i < m->count && ret == 0; i++) {
        struct made_function *f = &m->function[order[i]];

        while ((found = tfind(f, &tree, by_range))) {
            struct made_function *old = *found;

            old->to = f->from;
            tdelete(old, &tree, by_range);
        }
        if (f->name.s && !tsearch(f, &tree, by_range))
            ret = -ENOMEM;
    }
    while (tree) {
        struct made_function *any = *(struct made_function **)tree;

        tdelete(any, &tree, by_range);
    }
    free(order);
    return ret;
}

static int
by_address(const void *a, const void *b)
{
    const struct made_function *left = a, *right = b;

    if (left->addr != right->addr)
        return left->addr < right->addr ? -1 : 1;
    return left->from < right->from ? -1 : left->from > right->from;
}

struct key {
    const struct made *made;
    const struct made_function *function;
};

static bool
same_text(struct er_str a, struct er_str b)
{
    return a.len == b.len && !memcmp(a.s, b.s, a.len);
}

static bool
same_texts(const struct er_str *all, struct made_part a, struct made_part b)
{
    bool same = a.count == b.count;

    for (u32 i = 0; i < a.count && same; i++)
        same = same_text(all[a.first + i], all[b.first + i]);
    return same;
}

static bool
same_calls(const struct made *m, struct made_part a, struct made_part b)
{
    bool same = a.count == b.count;

    for (u32 i = 0; i < a.count && same; i++) {
        const struct made_call *p = &m->call[a.first + i], *q = &m->call[b.first + i];

        same = p->parent == q->parent && p->source == q->source && p->line == q->line &&
               p->declared == q->declared && p->first == q->first &&
               same_text(p->name, q->name);
    }
    return same;
}

static bool
same_rows(const struct made *m, struct made_part a, struct made_part b)
{
    bool same = a.count == b.count;

    for (u32 i = 0; i < a.count && same; i++) {
        const struct made_row *p = &m->row[a.first + i], *q = &m->row[b.first + i];

        same = p->offset == q->offset && p->source == q->source && p->line == q->line &&
               p->inlined == q->inlined;
    }
    return same;
}

static bool
same_constants(const struct made *m, struct made_part a, struct made_part b)
{
    bool same = a.count == b.count;

    for (u32 i = 0; i < a.count && same; i++)
        same = m->constant[a.first + i].index == m->constant[b.first + i].index &&
               same_text(m->constant[a.first + i].text, m->constant[b.first + i].text);
    return same;
}

static bool
same_function(const void *context, u32 index)
{
    const struct key *key = context;
    const struct made *m = key->made;
    const struct made_function *f = key->function, *g = &m->function[index];

    return f->size == g->size && f->line == g->line && same_text(f->name, g->name) &&
           same_texts(m->source, f->sources, g->sources) &&
           same_calls(m, f->inlined, g->inlined) && same_rows(m, f->lines, g->lines) &&
           same_texts(m->bytes, f->bytes, g->bytes) &&
           same_constants(m, f->constants, g->constants);
}

static u32
hash_function(const struct made *m, const struct made_function *f)
{
    u64 hash = f->size;

    for (u32 i = 0; i < f->name.len; i++)
        hash = hash_mix(hash ^ (unsigned char)f->name.s[i]);
    for (u32 i = 0; i < f->bytes.count; i++)
        for (u32 k = 0; k < m->bytes[f->bytes.first + i].len; k++)
            hash = hash_mix(hash ^ (unsigned char)m->bytes[f->bytes.first + i].s[k]);
    return (u32)hash;
}

/*
 * Give each function its vaddr. Functions that are alike share one, since code that was
 * moved is still the same function.
 */
static int
place_functions(struct made *m)
{
    struct hash alike = { 0 };
    int ret = 0;

    for (u32 i = 0; i < m->count && ret == 0; i++) {
        struct made_function *f = &m->function[i];
        struct key key = { m, f };
        u32 hash = hash_function(m, f);
        u32 at = hash_find(&alike, hash, same_function, &key);

        f->copy = at != HASH_NONE;
        if (f->copy) {
            f->vaddr = m->function[at].vaddr;
            continue;
        }
        f->vaddr = m->vaddr_end;
        m->vaddr_end += (f->size + 2 * ALIGN - 1) / ALIGN * ALIGN;
        ret = hash_add(&alike, hash, i);
    }
    hash_free(&alike);
    return ret;
}

int
made_seal(struct made *m)
{
    u64 reach = 0;
    u32 n = 0;
    int ret = close_intervals(m);

    m->reach = calloc((size_t)m->count + 1, sizeof(*m->reach));
    if (ret < 0 || !m->reach)
        return -ENOMEM;
    for (u32 i = 0; i < m->count; i++)
        if (m->function[i].name.s && m->function[i].from < m->function[i].to)
            m->function[n++] = m->function[i];
    m->count = n;
    if (n)
        qsort(m->function, n, sizeof(*m->function), by_address);
    for (u32 i = 0; i < n; i++) {
        struct made_function *f = &m->function[i];

        if (f->addr + f->size > reach)
            reach = f->addr + f->size;
        m->reach[i] = reach;
    }
    return place_functions(m);
}

void
made_free(struct made *m)
{
    free(m->function);
    free(m->reach);
    free(m->source);
    free(m->call);
    free(m->row);
    free(m->bytes);
    free(m->constant);
    memset(m, 0, sizeof(*m));
}

void
made_at(const struct made *m, u64 addr, void (*each)(void *context, u32 index),
        void *context)
{
    u32 low = 0, high = m->count;

    while (low < high) {
        u32 middle = low + (high - low) / 2;

        if (m->function[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    while (low-- > 0 && m->reach[low] > addr)
        if (addr - m->function[low].addr < m->function[low].size)
            each(context, low);
}
