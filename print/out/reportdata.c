/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/reportdata.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/value.h"
#include "print/base/array.h"
#include "print/base/hash.h"
#include "print/model/pass/tally.h"
#include "print/out/reportpack.h"

/* A place: the frames of one code address, with their lines. Many stacks have it. */
struct place_key {
    const struct report *r;
    u32 node;
};

static bool
same_place(const struct report *r, u32 a, u32 b)
{
    const struct stack_tree *w = &r->walk;
    const struct stack *stack = r->sh->session->stacks->node;

    return stack[a].site == stack[b].site && w->first[a] == w->first[b] &&
           w->depth[a] == w->depth[b] && w->leaf[a] == w->leaf[b];
}

/* Does the node `index` have the same place as the node in the key? */
static bool
is_place(const void *context, u32 index)
{
    const struct place_key *key = context;

    return same_place(key->r, key->node, index);
}

/* Set place_of[] of each used node: the first node with the same place. */
static int
find_places(struct report *r)
{
    const struct stacks *stacks = r->sh->session->stacks;
    struct hash hash = { 0 };
    int ret = 0;

    for (u32 i = 1; i < r->walk.count && ret == 0; i++) {
        struct place_key key = { r, i };
        u32 value = (u32)hash_mix((u64)stacks->node[i].site << 32 | r->walk.leaf[i]);
        u32 at;

        if (!r->walk.used[i])
            continue;
        at = hash_find(&hash, value, is_place, &key);
        if (at == HASH_NONE)
            ret = hash_add(&hash, value, i);
        r->place_of[i] = at == HASH_NONE ? i : at;
    }
    hash_free(&hash);
    return ret;
}

static void
need_function(struct report *r, u32 func)
{
    if (!r->heat[func])
        r->heat[func] = ++r->nfunctions;
}

/* Give numbers to the nodes and functions that are used. */
static void
number_all(struct report *r)
{
    u32 next = 1;

    need_function(r, FUNC_TOTAL);
    for (u32 i = 0; i < r->tree.count; i++)
        need_function(r, r->tree.func[i]);
    for (u32 i = 1; i < r->walk.count; i++) {
        if (!r->walk.used[i])
            continue;
        r->number[i] = next++;
        for (u32 k = 0; k < r->walk.depth[i]; k++) {
            u32 func = aggregate_frame(r->sh->session, r->walk.first[i] + k)->func;

            need_function(r, r->same ? r->same[func] : func);
        }
    }
}

/*
 * Choose the metrics to show: those that have a value, or a column in the table of
 * functions.
 */
static void
choose_metrics(struct report *r)
{
    const struct cellset *cells = &r->cells.set;
    struct values total = { { 0 } };

    for (u32 i = 0; i < cells->count; i++)
        for (u32 c = 0; c < cells->value.width; c++)
            total.v[cells->value.metric[c]] |= grid_row(&cells->value, i)[c];
    for (u32 m = 0; m < METRIC_ALL; m++) {
        struct metric_parts parts;
        bool any = !metric_is_ratio(m) && total.v[m];

        if (metric_is_ratio(m) && metric_is_there(m)) {
            parts = metric_parts(m);
            any = total.v[parts.over] && total.v[parts.under];
        }
        for (u32 i = 0; i < r->sh->metrics.n && !metric_is_ratio(m); i++)
            any |= r->sh->metrics.item[i].kind == MSPEC_METRIC &&
                   r->sh->metrics.item[i].metric == m;
        if (any && metric_is_there(m))
            r->metric[r->nmetrics++] = m;
    }
}

struct name_key {
    struct report *r;
    const char *name;
};

static bool
same_name(const void *context, u32 index)
{
    const struct name_key *key = context;

    return !strcmp(key->name, function_name_styled(key->r->sh->session, index,
                                                   NAME_LONG));
}

/*
 * Set r->same: of functions with equal names, as in different groups, the first one
 * represents all.
 */
static int
find_same(struct report *r)
{
    u32 count = function_count(r->sh->session);
    struct hash hash = { 0 };
    int ret = 0;

    r->same = calloc((size_t)count + 1, sizeof(*r->same));
    if (!r->same)
        return -ENOMEM;
    for (u32 i = 0; i < count && ret == 0; i++) {
        struct name_key key = { r, function_name_styled(r->sh->session, i, NAME_LONG) };
        u32 value = (u32)hash_str(0, key.name);
        u32 at = hash_find(&hash, value, same_name, &key);

        if (at == HASH_NONE)
            ret = hash_add(&hash, value, i);
        r->same[i] = at == HASH_NONE ? i : at;
    }
    hash_free(&hash);
    return ret;
}

static int
fold_tree(struct report *r)
{
    struct stack_tree walk;
    int ret = aggregate_open(r->sh->session, false, &walk);

    if (ret < 0)
        return ret;
    ret = r->compared ? find_same(r) : 0;
    if (ret == 0)
        ret = calltree_fold(r->sh->session, &walk, r->same, &r->tree);
    aggregate_close(&walk);
    return ret;
}

int
reportdata_open(struct report *r)
{
    struct session *s = r->sh->session;
    int ret = cells_build(s, r->limits->cells, &r->cells);

    if (ret == 0)
        ret = fold_tree(r);
    if (ret == 0)
        ret = aggregate_open(s, true, &r->walk);
    if (ret < 0)
        return ret;
    r->place_of = calloc((size_t)s->stacks->count + 1, sizeof(*r->place_of));
    r->number = calloc((size_t)s->stacks->count + 1, sizeof(*r->number));
    r->heat = calloc((size_t)function_count(s) + 1, sizeof(*r->heat));
    if (!r->place_of || !r->number || !r->heat)
        return -ENOMEM;
    choose_metrics(r);
    number_all(r);
    return find_places(r);
}

void
reportdata_close(struct report *r)
{
    aggregate_close(&r->walk);
    calltree_fold_free(&r->tree);
    cells_free(&r->cells);
    free(r->same);
    free(r->place_of);
    free(r->number);
    free(r->heat);
}

/* The functions' ids by their numbers in the report; the caller frees the array. */
static u32 *
by_number(const struct report *r)
{
    u32 *func = mem_realloc(NULL, ((size_t)r->nfunctions + 1) * sizeof(*func));

    for (u32 i = 0; i < function_count(r->sh->session); i++)
        if (r->heat[i])
            func[r->heat[i] - 1] = i;
    return func;
}

static void
write_objects(struct session *s, FILE *f)
{
    fputs("\"objects\":[", f);
    for (u32 i = 0; i < object_count(s); i++) {
        struct object_info o;

        object_get(s, i, &o);
        fputs(i ? ",[" : "[", f);
        reportpack_string(o.name, f);
        putc(',', f);
        reportpack_string(o.path, f);
        fprintf(f, ",%d]", o.collector);
    }
    fputs("],\n\"files\":[", f);
    for (u32 i = 0; i < file_count(s); i++) {
        if (i)
            putc(',', f);
        reportpack_string(file_path(s, i), f);
    }
    putc(']', f);
}

void
reportdata_names(struct report *r)
{
    struct session *s = r->sh->session;
    u32 *func = by_number(r);
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    fputs("{\"functions\":[", f);
    for (u32 i = 0; i < r->nfunctions; i++) {
        struct function_info info;

        function_get(s, func[i], &info);
        fputs(i ? ",[" : "[", f);
        reportpack_string(function_title(s, func[i]), f);
        fprintf(f, ",%u,%u,%u]", info.object, info.file, info.line);
    }
    fputs("],\n", f);
    write_objects(s, f);
    fputs("}\n", f);
    fclose(f);
    free(func);
    reportpack_write_text(text, size, "names", r->f);
}

static u32
shown_function(const struct report *r, u32 func)
{
    return r->heat[r->same ? r->same[func] : func] - 1;
}

/*
 * Write a node's place: object, address and number of frames; then function, file and
 * line of each frame.
 */
static void
write_place(const struct report *r, struct pack *p, u32 node)
{
    struct session *s = r->sh->session;
    const struct site *site = &s->stacks->sites.site[s->stacks->node[node].site];

    reportpack_number(p, site->object);
    reportpack_number(p, site->vaddr);
    reportpack_number(p, r->walk.depth[node]);
    for (u32 k = 0; k < r->walk.depth[node]; k++) {
        const struct site_frame *frame = aggregate_frame(s, r->walk.first[node] + k);

        reportpack_number(p, shown_function(r, frame->func));
        reportpack_number(p, frame->file);
        reportpack_number(p, frame->line);
    }
}

static void
write_tree(const struct report *r)
{
    struct pack p = { 0 };

    reportpack_number(&p, r->tree.count);
    for (u32 i = 1; i < r->tree.count; i++)
        reportpack_number(&p, i - r->tree.parent[i]);
    for (u32 i = 1; i < r->tree.count; i++)
        reportpack_number(&p, r->heat[r->tree.func[i]] - 1);
    reportpack_write(&p, "tree", r->f);
}

static void
write_places(struct report *r, u32 *place)
{
    struct pack p = { 0 };
    u32 next = 0;

    for (u32 i = 1; i < r->walk.count; i++)
        if (r->number[i] && r->place_of[i] == i)
            place[i] = next++;
    reportpack_number(&p, next);
    for (u32 i = 1; i < r->walk.count; i++)
        if (r->number[i] && r->place_of[i] == i)
            write_place(r, &p, i);
    reportpack_write(&p, "places", r->f);
}

/*
 * Write the exclusive values of each node. They are those of er_print's views, and not
 * sums of cells.
 */
static void
write_values(const struct report *r)
{
    const struct grid *self = &r->sh->session->tally->node;
    struct pack p = { 0 };

    for (u32 m = 0; m < r->nmetrics; m++)
        for (u32 i = 1; i < r->walk.count && !metric_is_ratio(r->metric[m]); i++)
            if (r->number[i])
                reportpack_signed(&p, grid_value(self, i, r->metric[m]));
    reportpack_write(&p, "values", r->f);
}

void
reportdata_stacks(struct report *r)
{
    const struct stacks *stacks = r->sh->session->stacks;
    u32 *place = mem_realloc(NULL, ((size_t)r->walk.count + 1) * sizeof(*place));
    struct pack p = { 0 };
    u32 count = 0;

    write_tree(r);
    write_values(r);
    write_places(r, place);
    for (u32 i = 1; i < r->walk.count; i++)
        count += r->number[i] != 0;
    reportpack_number(&p, count);
    for (u32 i = 1; i < r->walk.count; i++)
        if (r->number[i])
            reportpack_number(&p, r->number[i] - r->number[stacks->node[i].parent]);
    for (u32 i = 1; i < r->walk.count; i++)
        if (r->number[i])
            reportpack_number(&p, place[r->place_of[i]]);
    for (u32 i = 1; i < r->walk.count; i++)
        if (r->number[i])
            reportpack_number(&p, r->tree.of_node[i]);
    reportpack_write(&p, "stacks", r->f);
    free(place);
}

static bool
same_column(const struct grid *grid, u32 rows, enum metric a, enum metric b)
{
    for (u32 i = 0; i < rows; i++)
        if (grid_value(grid, i, a) != grid_value(grid, i, b))
            return false;
    return true;
}

/*
 * Write a metric's column: 0 and its values; or, if an earlier metric has the same
 * values, that metric's index in r->metric + 1.
 */
static void
write_column(const struct report *r, const struct cellset *c, struct pack *p, u32 m)
{
    for (u32 k = 0; k < m; k++) {
        if (metric_is_ratio(r->metric[k]) ||
            !same_column(&c->value, c->count, r->metric[k], r->metric[m]))
            continue;
        reportpack_number(p, k + 1);
        return;
    }
    reportpack_number(p, 0);
    for (u32 i = 0; i < c->count; i++)
        reportpack_signed(p, grid_value(&c->value, i, r->metric[m]));
}

/*
 * Write a set of cells, column by column: the keys into the block `keys`, and the
 * values of the metrics that are shown into the block `values`.
 */
static void
write_set(struct report *r, const struct cellset *c, const char *keys,
          const char *values)
{
    struct pack p = { 0 };

    reportpack_number(&p, c->count);
    for (u32 i = 0; i < c->count; i++)
        reportpack_number(&p, c->cell[i].step - (i ? c->cell[i - 1].step : 0));
    for (u32 i = 0; i < c->count; i++)
        reportpack_signed(&p, (int64_t)c->cell[i].thread -
                            (i ? (int64_t)c->cell[i - 1].thread : 0));
    for (u32 i = 0; i < c->count; i++)
        reportpack_signed(&p, (int64_t)r->number[c->cell[i].node] -
                            (i ? (int64_t)r->number[c->cell[i - 1].node] : 0));
    reportpack_write(&p, keys, r->f);
    for (u32 m = 0; m < r->nmetrics; m++)
        if (!metric_is_ratio(r->metric[m]))
            write_column(r, c, &p, m);
    reportpack_write(&p, values, r->f);
}

void
reportdata_cells(struct report *r)
{
    write_set(r, &r->cells.set, "cells", "sums");
    if (reportdata_apart(r))
        write_set(r, &r->cells.times, "times", "timesums");
}

/* Write the times (ns) of threads by state; only states that a thread was in. */
void
reportdata_lanes(struct report *r)
{
    const struct lanes *lanes = &r->cells.lanes;
    u32 threads = r->cells.first[r->sh->session->nexperiments];
    struct pack p = { 0 };

    for (u32 t = 0; t < threads; t++)
        for (u32 s = 0; s < LANE_STATES; s++) {
            const u64 *ns = lanes->ns + (size_t)t * lanes->steps * LANE_STATES + s;
            u64 sum = 0;

            for (u32 i = 0; i < lanes->steps; i++)
                sum += ns[(size_t)i * LANE_STATES];
            if (!sum)
                continue;
            reportpack_number(&p, t + 1);
            reportpack_number(&p, s);
            for (u32 i = 0; i < lanes->steps; i++)
                reportpack_number(&p, ns[(size_t)i * LANE_STATES]);
        }
    reportpack_number(&p, 0);
    reportpack_write(&p, "lanes", r->f);
}

/* Write the times (ns) of processors; only those that have any. */
void
reportdata_cpus(struct report *r)
{
    const struct cells *cells = &r->cells;
    struct pack p = { 0 };

    for (u32 cpu = 0; cpu < cells->cpus.count; cpu++) {
        const u64 *ns = cells->cpus.ns + (size_t)cpu * cells->lanes.steps;
        u64 sum = 0;

        for (u32 i = 0; i < cells->lanes.steps; i++)
            sum += ns[i];
        if (!sum)
            continue;
        reportpack_number(&p, cpu + 1);
        for (u32 i = 0; i < cells->lanes.steps; i++)
            reportpack_number(&p, ns[i]);
    }
    reportpack_number(&p, 0);
    reportpack_write(&p, "cpus", r->f);
}
