/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/data/datafind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/pool.h"
#include "print/model/data/memory.h"
#include "print/model/ranges.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/object.h"
#include "print/model/symbols/variable.h"

enum {
    NEAR = 1000000000, /* ns by which loads and unloads may be noticed too late */
};

/*
 * Identifies a data object: a, b are object and link-time address of a variable, the
 * stack node of blocks and mappings, or the number of a name; else 0.
 */
struct data_key {
    enum data_kind kind;
    u64 a, b;
};

/* The state of reading one experiment. */
struct pass {
    struct session *session;
    struct data_things *things;
    struct experiment *e;
    u32 index;
    struct data_access *access;
    u32 count, room;
    int time, node, counter, value, vaddr, stack;
    u32 time_shift;
    const struct data_wish *wish; /* NULL = all accesses */
    bool no_memory;
    struct memory_regions regions;
    struct ranges now; /* mappings at the time of the access */
    u32 region;        /* index in `regions` of the first that is not yet in `now` */
};

static void
add_access(struct pass *p, const struct batch *batch, const u64 *row)
{
    struct data_access out = {
        .ticks = row[p->time] << p->time_shift,
        .addr = row[p->vaddr],
        .value = row[p->value],
        .counter = (u32)row[p->counter],
        .stack = p->stack >= 0 && row[p->stack],
    };

    if (out.counter >= p->e->counters.count ||
        p->e->counters.row[out.counter].metric < 0 ||
        (p->wish && !p->wish->passes(p->wish->context, batch, row)))
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
        add_access(p, batch, batch->row + (u64)i * batch->record->nfields);
}

static int
by_time(const void *a, const void *b)
{
    const struct data_access *x = a, *y = b;

    if (x->ticks != y->ticks)
        return x->ticks < y->ticks ? -1 : 1;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x->stack - y->stack;
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

/* Read the wanted accesses, and sort them by time. 0 or -ENOMEM. */
static int
read_accesses(struct pass *p)
{
    struct record_sink sink = { on_batch, p, false };
    const struct schema_record *record;
    struct record_source source;
    int ret;

    if (experiment_source(p->e, FILE_hwcounters, &source) < 0)
        return 0;
    record = schema_find_record(source.schema, "access");
    if (!find_fields(p, record))
        return 0;
    p->time_shift = source.schema->time_shift;
    ret = records_scan(&source, &sink, 1, NULL);
    if (ret == 0 && p->no_memory)
        ret = -ENOMEM;
    if (ret == 0 && p->count > 1)
        qsort(p->access, p->count, sizeof(*p->access), by_time);
    return ret;
}

struct key_search {
    const struct data_things *things;
    const struct data_key *key;
};

static bool
same_key(const void *context, u32 index)
{
    const struct key_search *s = context;
    const struct data_key *k = &s->things->key[index];

    return k->kind == s->key->kind && k->a == s->key->a && k->b == s->key->b;
}

/*
 * Set *row to the index in t->row of the data object with that key, which is added if
 * it is new. 0 or -ENOMEM.
 */
static int
row_of(struct data_things *t, const struct data_key *key, u32 *row, bool *is_new)
{
    u32 hash = (u32)hash_mix(hash_mix(key->a + key->kind) ^ key->b);
    struct key_search search = { t, key };

    *row = hash_find(&t->hash, hash, same_key, &search);
    *is_new = *row == HASH_NONE;
    if (!*is_new)
        return 0;
    if (array_room(&t->row, &t->room, t->count + 1, sizeof(*t->row)) < 0 ||
        array_room(&t->key, &t->key_room, t->count + 1, sizeof(*t->key)) < 0 ||
        hash_add(&t->hash, hash, t->count) < 0)
        return -ENOMEM;
    *row = t->count++;
    t->key[*row] = *key;
    t->row[*row] = (struct data_thing){ .kind = key->kind, .name = "" };
    return 0;
}

/*
 * Get the number of a name, which is added if it is new. The search is linear, since
 * there are few names. 0 or -ENOMEM.
 */
static int
name_of(struct data_things *t, const char *text, u64 *number)
{
    const char *copy;

    for (u32 i = 0; i < t->names; i++)
        if (!strcmp(t->name[i], text)) {
            *number = i;
            return 0;
        }
    copy = pool_text(&t->pool, text, strlen(text));
    if (!copy || array_room(&t->name, &t->name_room, t->names + 1, sizeof(copy)) < 0)
        return -ENOMEM;
    *number = t->names;
    t->name[t->names++] = copy;
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

/*
 * Set the key by the mapping that contains an address, if there is one. 0 or -ENOMEM.
 */
static int
from_region(struct pass *p, u64 addr, struct data_key *key)
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
    return name_of(p->things, r->name, &key->a);
}

/* The data object of an access, and the offset of the address in it. */
struct place {
    struct data_key key;
    struct objfile_variable variable;
    u64 offset;
};

/*
 * Find the variable at an address in a load object that was loaded at the time `mono`,
 * or at most `near` ns before or after. 0; -ENOENT: there is none; or -ENOMEM.
 */
static int
find_variable(struct pass *p, u64 addr, u64 mono, u64 near, struct place *out)
{
    struct variable_time when = { mono, near };
    u32 object = 0;
    u64 base;
    int ret = variable_find(p->session, p->index, addr, &when, &object, &out->variable,
                            &base);

    if (ret < 0)
        return ret;
    out->key = (struct data_key){ DATA_VARIABLE, object, out->variable.addr };
    out->offset = addr - base;
    return 0;
}

/*
 * Find the data object of an access: a stack, variable, block or mapping. 0 or -errno.
 */
static int
find_place(struct pass *p, const struct data_access *access,
           const struct memory_question *q, u64 mono, struct place *out)
{
    u32 node;
    int ret;

    *out = (struct place){ .key = { DATA_UNKNOWN, 0, 0 }, .offset = access->addr };
    if (!access->addr)
        return 0;
    if (access->stack) {
        out->key.kind = DATA_STACK;
        return 0;
    }
    ret = find_variable(p, access->addr, mono, q->node ? 0 : NEAR, out);
    if (ret != -ENOENT)
        return ret;
    if (!q->node)
        return from_region(p, access->addr, &out->key);
    ret = stacks_of(p->session, p->index, q->node, &node);
    out->key = (struct data_key){ q->mapping ? DATA_MAPPING : DATA_BLOCK, node, 0 };
    out->offset = access->addr - q->block;
    return ret;
}

static int
describe(struct data_things *t, struct data_thing *row, const struct place *place)
{
    const char *name = place->variable.name;

    switch (row->kind) {
    case DATA_VARIABLE:
        row->object = (u32)place->key.a;
        row->size = place->variable.size;
        row->name = pool_text(&t->pool, name, strlen(name));
        return row->name ? 0 : -ENOMEM;
    case DATA_BLOCK:
    case DATA_MAPPING:
        row->node = (u32)place->key.a;
        return 0;
    case DATA_FILE:
    case DATA_STATIC:
    case DATA_OTHER:
        row->name = t->name[place->key.a];
        return 0;
    default:
        return 0;
    }
}

static int
find_thing(struct pass *p, struct data_access *access, const struct memory_question *q,
           u64 mono)
{
    struct data_things *t = p->things;
    struct place place;
    bool is_new;
    int ret = find_place(p, access, q, mono, &place);

    if (ret == 0)
        ret = row_of(t, &place.key, &access->thing, &is_new);
    if (ret == 0 && is_new)
        ret = describe(t, &t->row[access->thing], &place);
    if (ret < 0)
        return ret;
    access->offset = place.offset;
    if (q->node && q->size > t->row[access->thing].size &&
        (place.key.kind == DATA_BLOCK || place.key.kind == DATA_MAPPING))
        t->row[access->thing].size = q->size;
    return 0;
}

static void
ignore(void *context, u32 mapping, u64 bytes, int more)
{
    (void)context;
    (void)mapping;
    (void)bytes;
    (void)more;
}

/*
 * Advance p->now to a moment: apply the mappings that were made until then. 0 or
 * -ENOMEM.
 */
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
find_things(struct pass *p)
{
    struct memory_question *q = calloc((size_t)p->count + 1, sizeof(*q));
    int ret = q ? experiment_clock(p->e) : -ENOMEM;

    for (u32 i = 0; i < p->count && ret == 0; i++)
        q[i] = (struct memory_question){ .ticks = p->access[i].ticks,
                                         .addr = p->access[i].addr };
    if (ret == 0)
        ret = memory_blocks(p->e, q, p->count);
    if (ret == 0)
        ret = memory_regions_read(p->e, &p->regions);
    p->now.pieces = ignore;
    for (u32 i = 0; i < p->count && ret == 0; i++) {
        u64 mono = clock_mono(&p->e->clock, p->access[i].ticks);

        ret = move_on(p, mono);
        if (ret == 0)
            ret = find_thing(p, &p->access[i], &q[i], mono);
    }
    free(q);
    return ret;
}

int
datafind(struct session *session, u32 index, const struct data_wish *wish,
         struct data_things *things, struct data_access **out, u32 *count)
{
    struct pass p = { .session = session, .things = things, .index = index,
                      .e = session->experiment[index], .wish = wish };
    int ret = read_accesses(&p);

    if (ret == 0 && p.count)
        ret = find_things(&p);
    memory_regions_free(&p.regions);
    ranges_free(&p.now);
    if (ret < 0) {
        free(p.access);
        return ret;
    }
    *out = p.access;
    *count = p.count;
    return 0;
}

void
data_things_free(struct data_things *things)
{
    free(things->row);
    free(things->key);
    hash_free(&things->hash);
    free(things->name);
    pool_free(things->pool);
    *things = (struct data_things){ .count = 0 };
}
