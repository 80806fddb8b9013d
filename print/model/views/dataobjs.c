/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/dataobjs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/base/pool.h"
#include "print/model/filter/filterbind.h"
#include "print/model/symbols/variable.h"

struct building {
    struct session *session;
    struct data_objects out;
    struct data_things things; /* by row */
    struct hash line_hash;
};

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

/* Add a row, with a demangled name, for each thing that has none yet. */
static int
add_rows(struct building *b)
{
    struct data_objects *out = &b->out;

    if (array_room_zero(&out->row, &out->room, b->things.count, sizeof(*out->row)) < 0)
        return -ENOMEM;
    for (; out->count < b->things.count; out->count++) {
        const struct data_thing *thing = &b->things.row[out->count];
        struct data_object *row = &out->row[out->count];
        char *name;

        row->thing = *thing;
        row->thing.name = pool_text(&out->names, thing->name, strlen(thing->name));
        name = thing->kind == DATA_VARIABLE ? variable_name(b->session, thing->name)
                                            : strdup(thing->name);
        row->name = name ? pool_text(&out->names, name, strlen(name)) : NULL;
        free(name);
        if (!row->name || !row->thing.name)
            return -ENOMEM;
    }
    return 0;
}

static int
add_access(struct building *b, const struct experiment *e,
           const struct data_access *access)
{
    const struct counter_row *counter = &e->counters.row[access->counter];
    int64_t value = (int64_t)counters_scaled(counter, access->value);
    struct data_object *row = &b->out.row[access->thing];

    row->thing.size = b->things.row[access->thing].size;
    row->hits++;
    row->value.v[counter->metric] += value;
    b->out.hits++;
    b->out.total.v[counter->metric] += value;
    return add_line(b, access->thing, access->offset,
                    (u32)counter->metric - METRIC_hwc0, (u64)value);
}

/* The filter, bound to the accesses of one experiment. */
struct access_filter {
    struct bound_filter *filter;
    const struct experiment *e;
    int node; /* index of the field `node` */
};

static bool
passes(void *context, const struct batch *batch, const u64 *row)
{
    const struct access_filter *f = context;
    const struct thread_row *thread = threads_find(&f->e->threads, batch->thread);
    struct filter_event event = {
        .row = row,
        .thread = batch->thread,
        .tid = thread ? thread->tid : 0,
        .stack = row[f->node] <= f->e->nodes.count ? (u32)row[f->node] : 0,
    };

    return filterbind_accepts(f->filter, &event);
}

/* Bind the session's filter, if there are accesses. 0 or -errno. */
static int
bind(struct building *b, u32 index, struct access_filter *out)
{
    struct experiment *e = b->session->experiment[index];
    const struct schema_record *record;
    struct record_source source;

    out->e = e;
    if (experiment_source(e, FILE_hwcounters, &source) < 0)
        return 0;
    record = schema_find_record(source.schema, "access");
    if (!record)
        return 0;
    out->node = schema_find_number(record, "node");
    return filterbind(b->session, index, source.schema, record, false, &out->filter);
}

static int
add_experiment(struct building *b, u32 index)
{
    struct experiment *e = b->session->experiment[index];
    struct data_access *access = NULL;
    struct access_filter filter = { 0 };
    struct data_wish wish = { passes, &filter };
    u32 count = 0;
    int ret = bind(b, index, &filter);

    if (ret == 0)
        ret = datafind(b->session, index, &wish, &b->things, &access, &count);
    filterbind_free(filter.filter);
    for (u32 i = 0; i < e->counters.count; i++)
        b->out.recorded |= e->counters.row[i].addresses;
    if (ret == 0 && count)
        ret = experiment_totals(e);
    if (ret == 0)
        ret = add_rows(b);
    for (u32 i = 0; i < count && ret == 0; i++)
        ret = add_access(b, e, &access[i]);
    free(access);
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
        c = (int)x->thing.kind - (int)y->thing.kind;
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

/*
 * Sort rows and lines. While rows are still unsorted, store in each which lines it has.
 */
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
    hash_free(&b.line_hash);
    data_things_free(&b.things);
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
