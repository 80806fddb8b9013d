/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/branch/branches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/model/symbols/object.h"
#include "print/model/pass/tracepass.h"
#include "share/branch.h"

enum {
    RANGE_MOST = 1 << 20, /* bytes: assume that a branch is missing in a longer range */
    CACHE = 1024, /* entries; a power of two */
    PAGE_SHIFT = 12,
    /* Types as the kernel has them. */
    KIND_CALL = 4,
    KIND_INDIRECT_CALL = 5,
    KIND_RETURN = 6,
    KIND_SYSTEM_CALL = 7,
    KIND_SYSTEM_RETURN = 8,
    KIND_CONDITIONAL_CALL = 9,
    KIND_CONDITIONAL_RETURN = 10,
    KIND_MASK = 15,
};

enum field {
    FIELD_TIME,
    FIELD_STEPS,
};

static const struct trace_wish wish = { "branches", { "time", "steps" } };

struct place {
    u32 object;
    u64 addr;
};

struct sums {
    struct branch_data data;
    u32 edges_room, ranges_room;
    struct hash edges, ranges;
    bool no_memory;
};

/*
 * A cache entry: the instance that was found for an address in a page of the process.
 */
struct cached {
    u64 page; /* its number + 1; 0 = the entry is free */
    u32 instance; /* its index + 1; 0 = no instance has the address */
};

/* The state of one worker. */
struct part {
    struct experiment *experiment;
    const u32 *object; /* by index of the instance: its object */
    bool moves; /* an address may be in different instances at different times */
    struct cached cache[CACHE];
    struct sums *sums;
};

static bool
same_edge(const void *key, u32 index)
{
    const struct sums *s = ((const void *const *)key)[0];
    const struct branch_edge *a = ((const void *const *)key)[1];
    const struct branch_edge *b = &s->data.edge[index];

    return a->from == b->from && a->to == b->to && a->from_object == b->from_object &&
           a->to_object == b->to_object;
}

static void
add_edge(struct sums *s, const struct branch_edge *edge)
{
    const void *key[] = { s, edge };
    u64 mixed = hash_mix(edge->from + hash_mix(edge->to));
    u32 hash = (u32)hash_mix(mixed ^ (u64)edge->from_object << 32 ^ edge->to_object);
    u32 at = hash_find(&s->edges, hash, same_edge, key);
    struct branch_edge *have;

    if (at == HASH_NONE) {
        if (array_room(&s->data.edge, &s->edges_room, s->data.nedges + 1,
                       sizeof(*edge)) < 0 ||
            hash_add(&s->edges, hash, s->data.nedges) < 0) {
            s->no_memory = true;
            return;
        }
        s->data.edge[s->data.nedges++] = *edge;
        return;
    }
    have = &s->data.edge[at];
    have->count += edge->count;
    have->followed += edge->followed;
    have->mispredicted += edge->mispredicted;
    have->told += edge->told;
    have->timed += edge->timed;
    have->cycles += edge->cycles;
    have->kind = edge->kind ? edge->kind : have->kind;
}

static bool
same_range(const void *key, u32 index)
{
    const struct sums *s = ((const void *const *)key)[0];
    const struct branch_range *a = ((const void *const *)key)[1];
    const struct branch_range *b = &s->data.range[index];

    return a->start == b->start && a->end == b->end && a->object == b->object;
}

static void
add_range(struct sums *s, const struct branch_range *range)
{
    const void *key[] = { s, range };
    u64 mixed = hash_mix(range->start + hash_mix(range->end));
    u32 hash = (u32)hash_mix(mixed ^ range->object);
    u32 at = hash_find(&s->ranges, hash, same_range, key);

    if (at != HASH_NONE) {
        s->data.range[at].count += range->count;
        return;
    }
    if (array_room(&s->data.range, &s->ranges_room, s->data.nranges + 1,
                   sizeof(*range)) < 0 ||
        hash_add(&s->ranges, hash, s->data.nranges) < 0) {
        s->no_memory = true;
        return;
    }
    s->data.range[s->data.nranges++] = *range;
}

static const struct map_instance *
instance_of(struct part *p, u64 pc, u64 mono)
{
    const struct map *map = &p->experiment->map;
    struct cached *c = &p->cache[(pc >> PAGE_SHIFT) % CACHE];
    const struct map_instance *found;

    if (p->moves)
        return map_find_pc(map, pc, mono);
    if (c->page != (pc >> PAGE_SHIFT) + 1) {
        found = map_find_pc(map, pc, 0);
        c->page = (pc >> PAGE_SHIFT) + 1;
        c->instance = found ? (u32)(found - map->instance) + 1 : 0;
    }
    found = c->instance ? &map->instance[c->instance - 1] : NULL;
    /* Only a part of the page may belong to the instance. */
    return found && pc >= found->lo && pc < found->hi ? found
                                                       : map_find_pc(map, pc, 0);
}

static struct place
place_of(struct part *p, u64 pc, u64 mono)
{
    const struct map_instance *i = instance_of(p, pc, mono);
    u32 object = i ? p->object[i - p->experiment->map.instance] : 0;

    return (struct place){ object, object ? pc - i->bias : pc };
}

static void
add_stack(struct part *p, struct er_str steps, u64 mono)
{
    const unsigned char *at = (const void *)steps.s, *end = at + steps.len;
    struct place newer = { 0, 0 };
    bool has_newer = false;
    struct branch b;
    u64 last = 0;

    p->sums->data.stacks++;
    while (branch_get(&at, end, &last, &b)) {
        struct place from = place_of(p, b.from, mono), to = place_of(p, b.to, mono);
        struct branch_edge edge = {
            .from_object = from.object, .to_object = to.object,
            .from = from.addr, .to = to.addr, .count = 1,
            .mispredicted = b.flags & BRANCH_MISPREDICTED ? 1 : 0,
            .told = b.flags & (BRANCH_MISPREDICTED | BRANCH_PREDICTED) ? 1 : 0,
            .timed = b.cycles != 0, .cycles = b.cycles, .kind = b.kind,
        };

        if (has_newer && to.object && to.object == newer.object &&
            newer.addr >= to.addr && newer.addr - to.addr < RANGE_MOST) {
            edge.followed = 1;
            add_range(p->sums,
                      &(struct branch_range){ to.object, to.addr, newer.addr, 1 });
        }
        add_edge(p->sums, &edge);
        newer = from;
        has_newer = !(b.flags & BRANCH_ABORT);
    }
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct part *p = (struct part *)context + row->worker;
    u64 mono = 0;

    if (!tracepass_accepts(row))
        return;
    if (p->moves)
        mono = clock_mono(&p->experiment->clock, trace_get(row, FIELD_TIME)
                                                     << SHIFT_hwcounters);
    add_stack(p, trace_text(row, FIELD_STEPS), mono);
}

static int
by_lo(const void *a, const void *b)
{
    const struct map_instance *const *x = a, *const *y = b;

    return (*x)->lo < (*y)->lo ? -1 : (*x)->lo > (*y)->lo;
}

/*
 * Set *moves: do address ranges of instances overlap, so that the time of an address
 * must be known? 0 or -ENOMEM.
 */
static int
find_moves(const struct map *map, bool *moves)
{
    const struct map_instance **sorted = calloc((size_t)map->count + 1,
                                                sizeof(const void *));
    u64 hi = 0;

    if (!sorted)
        return -ENOMEM;
    *moves = false;
    for (u32 i = 0; i < map->count; i++)
        sorted[i] = &map->instance[i];
    if (map->count)
        qsort(sorted, map->count, sizeof(const void *), by_lo);
    for (u32 i = 0; i < map->count; i++) {
        *moves |= sorted[i]->lo < hi;
        hi = sorted[i]->hi > hi ? sorted[i]->hi : hi;
    }
    free(sorted);
    return 0;
}

/*
 * Read all branch stacks with several threads; each thread adds to its own sums. 0 or
 * -errno.
 */
static int
scan(struct session *session, u32 index, const u32 *object, bool moves,
     struct sums *sums)
{
    struct part *part = calloc(TRACE_WORKERS, sizeof(*part));
    const struct trace_sink sink = { &wish, 1, on_row, part };
    struct experiment *e = session->experiment[index];
    int ret;

    if (!part)
        return -ENOMEM;
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        part[i].experiment = e;
        part[i].object = object;
        part[i].moves = moves;
        part[i].sums = &sums[i];
    }
    ret = tracepass_run(session, index, FILE_hwcounters, &sink);
    free(part);
    return ret;
}

static int
add_experiment(struct session *session, u32 index, struct sums *sums)
{
    struct experiment *e = session->experiment[index];
    u32 *object = calloc((size_t)e->map.count + 1, sizeof(*object));
    bool moves;
    int ret = object ? experiment_clock(e) : -ENOMEM;

    for (u32 i = 0; i < e->map.count && ret == 0; i++)
        ret = objects_of(session, index, &e->map.instance[i], &object[i]);
    if (ret == 0)
        ret = find_moves(&e->map, &moves);
    if (ret == 0)
        ret = scan(session, index, object, moves, sums);
    free(object);
    return ret == -ENOENT ? 0 : ret;
}

static int
compare_edge(const void *a, const void *b)
{
    const struct branch_edge *x = a, *y = b;

    if (x->from_object != y->from_object)
        return x->from_object < y->from_object ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to_object != y->to_object)
        return x->to_object < y->to_object ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static int
compare_range(const void *a, const void *b)
{
    const struct branch_range *x = a, *y = b;

    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static void
close_sums(struct sums *s)
{
    hash_free(&s->edges);
    hash_free(&s->ranges);
}

/* Add the sums of all workers to sums[0], and free the others. */
static void
join(struct sums *sums)
{
    for (u32 i = 1; i < TRACE_WORKERS; i++) {
        const struct branch_data *d = &sums[i].data;

        for (u32 k = 0; k < d->nedges && !sums[0].no_memory; k++)
            add_edge(&sums[0], &d->edge[k]);
        for (u32 k = 0; k < d->nranges && !sums[0].no_memory; k++)
            add_range(&sums[0], &d->range[k]);
        sums[0].data.stacks += d->stacks;
        sums[0].no_memory |= sums[i].no_memory;
        close_sums(&sums[i]);
        branches_free(&sums[i].data);
    }
    close_sums(&sums[0]);
}

int
branches_get(struct session *session, struct branch_data *out)
{
    struct sums sums[TRACE_WORKERS];
    struct branch_data *d = &sums[0].data;
    int ret = 0;

    memset(sums, 0, sizeof(sums));
    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(session, i, sums);
    join(sums);
    if (ret == 0 && sums[0].no_memory)
        ret = -ENOMEM;
    if (ret < 0) {
        branches_free(d);
        return ret;
    }
    if (d->nedges)
        qsort(d->edge, d->nedges, sizeof(*d->edge), compare_edge);
    if (d->nranges)
        qsort(d->range, d->nranges, sizeof(*d->range), compare_range);
    for (u32 i = 0; i < d->nedges; i++) {
        d->branches += d->edge[i].count;
        d->mispredicted += d->edge[i].mispredicted;
    }
    d->recorded = d->stacks != 0;
    *out = *d;
    return 0;
}

void
branches_free(struct branch_data *data)
{
    free(data->edge);
    free(data->range);
    memset(data, 0, sizeof(*data));
}

/*
 * Get the first two bytes of an instruction, without prefixes. Returns 1; 0 = they are
 * not known.
 */
static u32
opcode_at(struct session *session, u32 object, u64 addr, unsigned char *code)
{
    const struct objfile *file = object ? object_file(session, object) : NULL;
    unsigned char bytes[16] = { 0 };
    long have = file ? objfile_code(file, addr, bytes, sizeof(bytes)) : 0;
    u32 at = 0;

    if (have < 1)
        return 0;
    while (at < 4 && ((bytes[at] & 0xf0) == 0x40 || bytes[at] == 0xf2 ||
                      bytes[at] == 0x3e || bytes[at] == 0x2e))
        at++;
    code[0] = bytes[at];
    code[1] = bytes[at + 1];
    return 1;
}

enum branch_type
branches_type(struct session *session, const struct branch_edge *edge)
{
    unsigned char code[2];

    switch (edge->kind & KIND_MASK) {
    case KIND_CALL:
    case KIND_INDIRECT_CALL:
    case KIND_CONDITIONAL_CALL:
    case KIND_SYSTEM_CALL:
        return BRANCH_CALL;
    case KIND_RETURN:
    case KIND_SYSTEM_RETURN:
    case KIND_CONDITIONAL_RETURN:
        return BRANCH_RETURN;
    }
    if (!opcode_at(session, edge->from_object, edge->from, code))
        return BRANCH_JUMP;
    if (code[0] == 0xe8 || (code[0] == 0xff && (code[1] >> 3 & 7) == 2))
        return BRANCH_CALL;
    return code[0] == 0xc2 || code[0] == 0xc3 ? BRANCH_RETURN : BRANCH_JUMP;
}

bool
branches_is_conditional(struct session *session, u32 object, u64 from)
{
    unsigned char code[2];

    return opcode_at(session, object, from, code) &&
           ((code[0] & 0xf0) == 0x70 || (code[0] >= 0xe0 && code[0] <= 0xe3) ||
            (code[0] == 0x0f && (code[1] & 0xf0) == 0x80));
}

u32
branches_find(const struct branch_data *data, u32 object, u64 from)
{
    u32 lo = 0, hi = data->nedges;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        const struct branch_edge *e = &data->edge[mid];

        if (e->from_object < object || (e->from_object == object && e->from < from))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
