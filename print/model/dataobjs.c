/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/dataobjs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"
#include "print/load/hash.h"
#include "print/load/pool.h"
#include "print/model/filterbind.h"
#include "print/model/memory.h"
#include "print/model/object.h"
#include "print/model/ranges.h"
#include "print/model/stacks.h"
#include "print/model/variable.h"

/* One record that passed. */
struct access {
    u64 ticks;
    u64 addr;
    u64 value;
    u32 counter; /* the experiment's number */
    bool stack;
};

/* What makes an object one: names and places by number. */
struct key {
    enum data_kind kind;
    u64 a, b;
};

struct building {
    struct session *session;
    struct data_objects out;
    struct key *key; /* by row */
    u32 key_room;
    struct hash hash, line_hash;
    const char **name; /* of files and so on, by number */
    u32 names, name_room;
};

/* One experiment. */
struct pass {
    struct building *b;
    struct experiment *e;
    u32 index;
    struct access *access;
    u32 count, room;
    int time, node, counter, value, vaddr, stack;
    u32 time_shift;
    struct bound_filter *filter;
    bool no_memory;
    struct memory_regions regions;
    struct ranges now; /* regions at the time of the access */
    u32 region;        /* the first that is later */
};

static void
take(struct pass *p, const struct batch *batch, const u64 *row)
{
    const struct thread_row *thread = threads_find(&p->e->threads, batch->thread);
    struct filter_event event = {
        .row = row,
        .thread = batch->thread,
        .tid = thread ? thread->tid : 0,
        .stack = row[p->node] <= p->e->nodes.count ? (u32)row[p->node] : 0,
    };
    struct access out = { row[p->time] << p->time_shift, row[p->vaddr], row[p->value],
                          (u32)row[p->counter], p->stack >= 0 && row[p->stack] };

    if (out.counter >= p->e->counters.count ||
        p->e->counters.row[out.counter].metric < 0 ||
        !filterbind_ask(p->filter, &event))
        return;
    if (array_room(&p->access, &p->room, p->count + 1, sizeof(out)) < 0)
        p->no_memory = true;
    else
        p->access[p->count++] = out;
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct pass *p = context;

    if (strcmp(batch->record->name, "access"))
        return;
    for (u32 i = 0; i < batch->count && !p->no_memory; i++)
        take(p, batch, batch->row + (u64)i * batch->record->nfields);
}

static int
by_ticks(const void *a, const void *b)
{
    const struct access *x = a, *y = b;

    return x->ticks < y->ticks ? -1 : x->ticks > y->ticks;
}

static bool
find_fields(struct pass *p, const struct schema_record *record)
{
    if (!record)
        return false;
    p->time = schema_find_number(record, "time");
    p->node = schema_find_number(record, "node");
    p->counter = schema_find_number(record, "counter");
    p->value = schema_find_number(record, "value");
    p->vaddr = schema_find_number(record, "vaddr");
    p->stack = schema_find_number(record, "stack");
    return p->time >= 0 && p->node >= 0 && p->counter >= 0 && p->value >= 0 &&
           p->vaddr >= 0;
}

/* All accesses in the order of time. */
static int
read_accesses(struct pass *p)
{
    struct record_sink sink = { on_batch, p };
    const struct schema_record *record;
    struct record_source source;
    int ret;

    if (experiment_source(p->e, FILE_hwcounters, &source) < 0)
        return 0;
    record = schema_find_record(source.schema, "access");
    if (!find_fields(p, record))
        return 0;
    p->time_shift = source.schema->time_shift;
    ret = filterbind(p->b->session, p->index, source.schema, record, false, &p->filter);
    if (ret == 0)
        ret = records_scan(&source, &sink, 1, NULL);
    if (ret == 0 && p->no_memory)
        ret = -ENOMEM;
    if (ret == 0 && p->count > 1)
        qsort(p->access, p->count, sizeof(*p->access), by_ticks);
    return ret;
}

struct key_search {
    const struct building *b;
    const struct key *key;
};

static bool
same_key(const void *context, u32 index)
{
    const struct key_search *s = context;
    const struct key *k = &s->b->key[index];

    return k->kind == s->key->kind && k->a == s->key->a && k->b == s->key->b;
}

/* The object of that key, made when new. 0 or -ENOMEM. */
static int
row_of(struct building *b, const struct key *key, u32 *row, bool *is_new)
{
    u32 hash = (u32)hash_mix(hash_mix(key->a + key->kind) ^ key->b);
    struct key_search search = { b, key };
    struct data_objects *out = &b->out;

    *row = hash_find(&b->hash, hash, same_key, &search);
    *is_new = *row == HASH_NONE;
    if (!*is_new)
        return 0;
    if (array_room(&out->row, &out->room, out->count + 1, sizeof(*out->row)) < 0 ||
        array_room(&b->key, &b->key_room, out->count + 1, sizeof(*b->key)) < 0 ||
        hash_add(&b->hash, hash, out->count) < 0)
        return -ENOMEM;
    *row = out->count++;
    b->key[*row] = *key;
    out->row[*row] = (struct data_object){ .kind = key->kind, .name = "" };
    return 0;
}

/* The number of a name; few. */
static int
name_of(struct building *b, const char *text, u64 *number)
{
    const char *copy;

    for (u32 i = 0; i < b->names; i++)
        if (!strcmp(b->name[i], text)) {
            *number = i;
            return 0;
        }
    copy = pool_text(&b->out.names, text, strlen(text));
    if (!copy || array_room(&b->name, &b->name_room, b->names + 1, sizeof(copy)) < 0)
        return -ENOMEM;
    *number = b->names;
    b->name[b->names++] = copy;
    return 0;
}

static bool
is_object(const struct pass *p, const char *path)
{
    for (u32 i = 0; i < p->e->map.count; i++)
        if (!strcmp(p->e->map.instance[i].file.name, path))
            return true;
    return false;
}

/* What the mapping says in which an address is. */
static int
from_region(struct pass *p, u64 addr, struct key *key)
{
    static const enum data_kind kinds[] = {
        [0] = DATA_UNKNOWN,         [REGION_FILE] = DATA_FILE,
        [REGION_ANONYMOUS] = DATA_ANONYMOUS, [REGION_BREAK] = DATA_HEAP,
        [REGION_STACK] = DATA_STACK, [REGION_OTHER] = DATA_OTHER,
    };
    const struct range *range = ranges_find(&p->now, addr);
    const struct memory_region *r = range ? &p->regions.row[range->mapping] : NULL;

    if (!r || r->kind >= ER_COUNT(kinds))
        return 0;
    key->kind = kinds[r->kind];
    if (key->kind != DATA_FILE && key->kind != DATA_OTHER)
        return 0;
    if (key->kind == DATA_FILE && is_object(p, r->name))
        key->kind = DATA_STATIC;
    return name_of(p->b, r->name, &key->a);
}

/* An access's object, and where in that it is. */
struct place {
    struct key key;
    struct objfile_variable variable;
    u64 offset;
};

/* The stack, a variable, a block, else what the mapping says. 0 or -errno. */
static int
find_place(struct pass *p, const struct access *access,
           const struct memory_question *q, struct place *out)
{
    u32 object = 0, node;
    u64 base;
    int ret;

    *out = (struct place){ .key = { DATA_UNKNOWN, 0, 0 }, .offset = access->addr };
    if (!access->addr)
        return 0;
    if (access->stack) {
        out->key.kind = DATA_STACK;
        return 0;
    }
    ret = variable_find(p->b->session, p->index, access->addr, &object, &out->variable,
                        &base);
    if (ret == 0) {
        out->key = (struct key){ DATA_VARIABLE, object, out->variable.addr };
        out->offset = access->addr - base;
        return 0;
    }
    if (ret != -ENOENT)
        return ret;
    if (!q->node)
        return from_region(p, access->addr, &out->key);
    ret = stacks_of(p->b->session, p->index, q->node, &node);
    out->key = (struct key){ q->mapping ? DATA_MAPPING : DATA_BLOCK, node, 0 };
    out->offset = access->addr - q->block;
    return ret;
}

static int
describe(struct building *b, struct data_object *row, const struct place *place)
{
    char *name;

    switch (row->kind) {
    case DATA_VARIABLE:
        row->object = (u32)place->key.a;
        row->size = place->variable.size;
        name = variable_name(b->session, place->variable.name);
        row->name = name ? pool_text(&b->out.names, name, strlen(name)) : NULL;
        free(name);
        return row->name ? 0 : -ENOMEM;
    case DATA_BLOCK:
    case DATA_MAPPING:
        row->node = (u32)place->key.a;
        return 0;
    case DATA_FILE:
    case DATA_STATIC:
    case DATA_OTHER:
        row->name = b->name[place->key.a];
        return 0;
    default:
        return 0;
    }
}

struct line_search {
    const struct data_line *line;
    u32 index;
    u64 offset;
};

static bool
same_line(const void *context, u32 index)
{
    const struct line_search *s = context;

    return s->line[index].index == s->index && s->line[index].offset == s->offset;
}

static int
add_line(struct building *b, u32 row, u64 offset, u32 column, u64 value)
{
    struct data_objects *out = &b->out;
    struct line_search search = { out->line, row, offset & ~(u64)(DATA_LINE - 1) };
    u32 hash = (u32)hash_mix(hash_mix(row) ^ search.offset);
    u32 at = hash_find(&b->line_hash, hash, same_line, &search);

    if (at == HASH_NONE) {
        if (array_room(&out->line, &out->line_room, out->lines + 1,
                       sizeof(*out->line)) < 0 ||
            hash_add(&b->line_hash, hash, out->lines) < 0)
            return -ENOMEM;
        at = out->lines++;
        out->line[at] = (struct data_line){ .index = row, .offset = search.offset };
    }
    out->line[at].hits++;
    out->line[at].v[column] += (int64_t)value;
    return 0;
}

static int
add_access(struct pass *p, const struct access *access, const struct memory_question *q)
{
    const struct counter_row *counter = &p->e->counters.row[access->counter];
    u64 value = counter_scaled(counter, access->value);
    struct building *b = p->b;
    struct place place;
    bool is_new;
    u32 row = 0;
    int ret = find_place(p, access, q, &place);

    if (ret == 0)
        ret = row_of(b, &place.key, &row, &is_new);
    if (ret == 0 && is_new)
        ret = describe(b, &b->out.row[row], &place);
    if (ret < 0)
        return ret;
    if (q->node && q->size > b->out.row[row].size &&
        (place.key.kind == DATA_BLOCK || place.key.kind == DATA_MAPPING))
        b->out.row[row].size = q->size;
    b->out.row[row].hits++;
    b->out.row[row].value.v[counter->metric] += (int64_t)value;
    b->out.hits++;
    b->out.total.v[counter->metric] += (int64_t)value;
    return add_line(b, row, place.offset, (u32)counter->metric - METRIC_hwc0, value);
}

static void
ignore(void *context, u32 mapping, u64 bytes, int more)
{
    (void)context;
    (void)mapping;
    (void)bytes;
    (void)more;
}

/* What was mapped up to a moment. 0 or -ENOMEM. */
static int
move_on(struct pass *p, u64 mono)
{
    for (; p->region < p->regions.count; p->region++) {
        const struct memory_region *r = &p->regions.row[p->region];

        if (r->mono > mono)
            break;
        if (ranges_cut(&p->now, r->lo, r->hi) < 0 ||
            ranges_add(&p->now, r->lo, r->hi, p->region) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int
add_accesses(struct pass *p)
{
    struct memory_question *q = calloc((size_t)p->count + 1, sizeof(*q));
    int ret = q ? experiment_clock(p->e) : -ENOMEM;

    for (u32 i = 0; i < p->count && ret == 0; i++)
        q[i] = (struct memory_question){ .ticks = p->access[i].ticks,
                                         .addr = p->access[i].addr };
    if (ret == 0)
        ret = experiment_totals(p->e);
    if (ret == 0)
        ret = memory_blocks(p->e, q, p->count);
    if (ret == 0)
        ret = memory_regions_read(p->e, &p->regions);
    p->now.pieces = ignore;
    for (u32 i = 0; i < p->count && ret == 0; i++) {
        ret = move_on(p, clock_mono(&p->e->clock, p->access[i].ticks));
        if (ret == 0)
            ret = add_access(p, &p->access[i], &q[i]);
    }
    free(q);
    return ret;
}

static int
add_experiment(struct building *b, u32 index)
{
    struct pass p = { .b = b, .e = b->session->experiment[index], .index = index };
    int ret = read_accesses(&p);

    for (u32 i = 0; i < p.e->counters.count; i++)
        b->out.recorded |= p.e->counters.row[i].addresses;
    if (ret == 0 && p.count)
        ret = add_accesses(&p);
    filterbind_free(p.filter);
    memory_regions_free(&p.regions);
    ranges_free(&p.now);
    free(p.access);
    return ret;
}

static int
compare_rows(const void *a, const void *b, void *context)
{
    const struct order *order = context;
    const struct data_object *x = a, *y = b;
    int64_t left = metric_value(&x->value, order->metric);
    int64_t right = metric_value(&y->value, order->metric);
    int c = order->by != ORDER_METRIC || left == right ? 0 : left < right ? 1 : -1;

    if (!c && order->by != ORDER_NAME && x->hits != y->hits)
        c = x->hits < y->hits ? 1 : -1;
    if (order->reverse)
        c = -c;
    if (!c)
        c = strcmp(x->name, y->name);
    if (!c)
        c = (int)x->kind - (int)y->kind;
    return c ? c : (x->line > y->line) - (x->line < y->line);
}

static int
compare_lines(const void *a, const void *b)
{
    const struct data_line *x = a, *y = b;

    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Lines belong to rows, also when these are sorted. */
static void
settle(struct data_objects *out, const struct order *order)
{
    struct order copy = *order;

    if (out->lines > 1)
        qsort(out->line, out->lines, sizeof(*out->line), compare_lines);
    for (u32 i = out->lines; i-- > 0;) {
        struct data_object *row = &out->row[out->line[i].index];

        row->line = i;
        row->lines++;
    }
    if (out->count > 1)
        qsort_r(out->row, out->count, sizeof(*out->row), compare_rows, &copy);
}

int
dataobjs_get(struct session *session, const struct order *order,
             struct data_objects *out)
{
    struct building b = { .session = session };
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(&b, i);
    hash_free(&b.hash);
    hash_free(&b.line_hash);
    free(b.key);
    free(b.name);
    if (ret < 0) {
        dataobjs_free(&b.out);
        return ret;
    }
    settle(&b.out, order);
    *out = b.out;
    return 0;
}

void
dataobjs_free(struct data_objects *objects)
{
    free(objects->row);
    free(objects->line);
    pool_free(objects->names);
    *objects = (struct data_objects){ .recorded = false };
}

struct values
dataobjs_values(const struct data_line *line)
{
    struct values values = { { 0 } };

    for (u32 i = 0; i < DATA_COUNTERS; i++)
        values.v[METRIC_hwc0 + i] = line->v[i];
    return values;
}
