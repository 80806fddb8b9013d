/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes profiles of BOLT. With branch stacks: which branches were taken in the
 * program, how often, how often mispredicted, and where code ran straight on to a
 * jump's target. Without: what was spent at each address. A place is an ELF symbol and
 * an offset. BOLT appends a number to the name of a local symbol: /1 if no other local
 * symbol has that name. Places in those that share a name are left out.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "archive/object/objfile.h"
#include "print/base/array.h"
#include "print/model/branch/flow.h"
#include "print/model/symbols/object.h"
#include "print/out/outmap.h"

enum {
    NS_PER_COUNT = 1000, /* of metrics that are times: counts are microseconds */
    PLACE_MOST = 4096,   /* bytes of a symbol with its offset */
};

struct cost {
    u64 addr;
    int64_t value;
};

struct writer {
    struct out *out;
    struct stackset set;
    struct outmap map;
    const struct objfile *file; /* of the program */
    u32 object;
    struct cost *cost;
    u32 ncosts, costs_room;
    const char **local; /* names of local symbols, sorted */
    u32 nlocals;
    int64_t elsewhere;  /* spent in other objects */
    int64_t unnamed;    /* spent at addresses without a symbol that BOLT would know */
};

static int
compare_cost(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int
compare_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int
gather_costs(struct writer *w)
{
    int64_t value[METRIC_COUNT];

    for (u32 i = stackset_next(&w->set, 0); i; i = stackset_next(&w->set, i)) {
        u32 top = stackset_top(&w->set, i);
        const struct location *l = &w->set.location[top ? w->set.of_node[top] : 0];

        if (!stackset_values(&w->set, i, value) || value[0] <= 0)
            continue;
        if (!l->addr || l->object != w->object) {
            w->elsewhere += value[0];
            continue;
        }
        if (array_room(&w->cost, &w->costs_room, w->ncosts + 1, sizeof(*w->cost)) < 0)
            return -ENOMEM;
        w->cost[w->ncosts++] = (struct cost){ l->addr, value[0] };
    }
    if (w->ncosts)
        qsort(w->cost, w->ncosts, sizeof(*w->cost), compare_cost);
    return 0;
}

static int
gather_locals(struct writer *w)
{
    struct objfile_symbol s;
    u32 count = objfile_symbol_count(w->file);

    w->local = calloc((size_t)count + 1, sizeof(*w->local));
    if (!w->local)
        return -ENOMEM;
    for (u32 i = 0; i < count; i++)
        if (objfile_symbol_at(w->file, i, &s) == 0 && s.binding == OBJFILE_LOCAL)
            w->local[w->nlocals++] = s.name;
    qsort(w->local, w->nlocals, sizeof(*w->local), compare_name);
    return 0;
}

static bool
is_only_local(const struct writer *w, const char *name)
{
    const char **at = bsearch(&name, w->local, w->nlocals, sizeof(name), compare_name);

    return at && (at == w->local || strcmp(at[-1], name)) &&
           (at + 1 == w->local + w->nlocals || strcmp(at[1], name));
}

/*
 * Does the symbol have a name by which BOLT knows it, and which this format can
 * contain?
 */
static bool
is_known(const struct writer *w, const struct objfile_symbol *s)
{
    if (s->origin != OBJFILE_ORIGIN_SYMTAB && s->origin != OBJFILE_ORIGIN_DYNSYM)
        return false;
    if (!*s->name || strpbrk(s->name, " \t\n\\"))
        return false;
    return s->binding != OBJFILE_LOCAL || is_only_local(w, s->name);
}

static void
put_costs(struct writer *w)
{
    bool ns = metrics[w->set.metric[0]].unit == METRIC_NS;
    FILE *f = w->out->f;

    fprintf(f, "no_lbr %s\n", metrics[w->set.metric[0]].name);
    for (u32 i = 0, k; i < w->ncosts; i = k) {
        struct objfile_symbol s;
        int64_t value = 0;

        for (k = i; k < w->ncosts && w->cost[k].addr == w->cost[i].addr; k++)
            value += w->cost[k].value;
        if (objfile_symbol(w->file, w->cost[i].addr, &s) < 0 || !is_known(w, &s)) {
            w->unnamed += value;
            continue;
        }
        if (ns)
            value = (value + NS_PER_COUNT - 1) / NS_PER_COUNT;
        fprintf(f, "1 %s%s %" PRIx64 " %" PRId64 "\n", s.name,
                s.binding == OBJFILE_LOCAL ? "/1" : "", w->cost[i].addr - s.addr,
                value);
    }
}

static void
warn_rest(struct writer *w)
{
    int64_t total = w->elsewhere + w->unnamed;

    for (u32 i = 0; i < w->ncosts; i++)
        total += w->cost[i].value;
    total -= w->unnamed;
    if (total > 0 && w->elsewhere > 0)
        out_warn(w->out, "%.1f %% of %s is not in the program itself, and left out",
                 100 * (double)w->elsewhere / (double)total,
                 metrics[w->set.metric[0]].title);
    if (total > 0 && w->unnamed > 0)
        out_warn(w->out, "%.1f %% of %s is in functions without a name of their own, "
                 "and left out", 100 * (double)w->unnamed / (double)total,
                 metrics[w->set.metric[0]].title);
}

/*
 * Make an address into text, "1 SYMBOL OFFSET"; false: BOLT would not know the symbol.
 */
static bool
print_place(const struct writer *w, u64 addr, char *text, size_t size)
{
    struct objfile_symbol s;
    int n;

    if (objfile_symbol(w->file, addr, &s) < 0 || !is_known(w, &s))
        return false;
    n = snprintf(text, size, "1 %s%s %" PRIx64, s.name,
                 s.binding == OBJFILE_LOCAL ? "/1" : "", addr - s.addr);
    return n > 0 && (size_t)n < size;
}

static bool
put_edge(const struct writer *w, u64 from, u64 to, u64 mispredicted, u64 count)
{
    char places[2][PLACE_MOST];

    if (!print_place(w, from, places[0], PLACE_MOST) ||
        !print_place(w, to, places[1], PLACE_MOST))
        return false;
    fprintf(w->out->f, "%s %s %" PRIu64 " %" PRIu64 "\n", places[0], places[1],
            mispredicted, count);
    return true;
}

static int
put_branches(struct writer *w, const struct branch_data *data)
{
    struct flow_insn *insn;
    u64 left_out = 0;
    u32 count;
    int ret = flow_get(w->out->session, data, w->object, &insn, &count);

    if (ret < 0)
        return ret;
    for (u32 i = 0; i < data->nedges; i++) {
        const struct branch_edge *e = &data->edge[i];

        if (e->from_object != w->object || e->to_object != w->object ||
            !put_edge(w, e->from, e->to, e->mispredicted, e->count))
            left_out += e->count;
    }
    for (u32 i = 0; i + 1 < count; i++)
        if (insn[i].on && (insn[i].jumps || insn[i + 1].leads))
            put_edge(w, insn[i].addr, insn[i + 1].addr, 0, insn[i].on);
    free(insn);
    if (left_out)
        out_warn(w->out, "%.1f %% of the branches do not begin and end in functions of "
                 "the program that have names of their own, and are left out",
                 100 * (double)left_out / (double)data->branches);
    return 0;
}

static int
put_spent(struct writer *w)
{
    int ret = gather_costs(w);

    if (ret < 0)
        return ret;
    put_costs(w);
    warn_rest(w);
    return 0;
}

static int
put_file(struct writer *w)
{
    struct branch_data data;
    int ret = gather_locals(w);

    if (ret == 0)
        ret = branches_get(w->out->session, &data);
    if (ret < 0)
        return ret;
    ret = data.recorded ? put_branches(w, &data) : -ENOTSUP;
    if (ret == -ENOTSUP)
        ret = put_spent(w);
    branches_free(&data);
    return ret;
}

int
out_fdata(struct out *out)
{
    struct writer w = { .out = out };
    int ret = stackset_open(out, &w.set);

    if (ret < 0)
        return ret;
    ret = outmap_open(out, &w.set, &w.map);
    if (ret == 0 && outmap_program(out, &w.map, &w.object, &w.file))
        ret = put_file(&w);
    outmap_close(&w.map);
    stackset_close(&w.set);
    free(w.cost);
    free(w.local);
    return ret;
}
