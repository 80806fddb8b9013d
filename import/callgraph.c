/* SPDX-License-Identifier: Apache-2.0 */
#include "import/callgraph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/names.h"
#include "print/base/array.h"

enum {
    DEPTH = 4096,          /* calls in one stack */
    STEPS_LEAST = 1 << 20, /* frames of all stacks: the limit, plus the file's size */
};

/*
 * State of making stacks for one kind of value. left[]: how much of each cost is in no
 * stack yet.
 */
struct flow {
    struct callgraph *g;
    const struct import_kind *kind;
    struct import_hit *hit;
    u32 *order; /* costs by function, then the largest first */
    u64 *left;  /* by cost: its value, less what is in stacks */
    u32 *first; /* by function: index in `order` of its next cost */
    u32 nfuncs; /* the largest number of a function, + 1 */
    u32 *on_path; /* by function: index in `path` of the call it makes + 1; 0 = none */
    u32 path[DEPTH]; /* costs of the calls from the root on */
    u32 npath;
    u64 unplaced; /* sum of the values that put_rest() put into stacks */
};

void
callgraph_open(struct callgraph *g, struct import *im, u32 nkinds, u64 file_size)
{
    *g = (struct callgraph){ .im = im, .nkinds = nkinds,
                             .steps_left = STEPS_LEAST + file_size };
}

void
callgraph_close(struct callgraph *g)
{
    free(g->cost);
    free(g->value);
    *g = (struct callgraph){ .im = NULL };
}

void
callgraph_add(struct callgraph *g, const struct callgraph_cost *cost, const u64 *value)
{
    size_t bytes = g->nkinds * sizeof(*value);

    if (g->im->failed || !cost->func || !cost->place)
        return;
    if (array_room(&g->cost, &g->costs_room, g->ncosts + 1, sizeof(*cost)) < 0 ||
        array_room(&g->value, &g->values_room, g->ncosts + 1, bytes) < 0) {
        g->im->failed = true;
        return;
    }
    g->cost[g->ncosts] = *cost;
    memcpy(g->value + (size_t)g->ncosts * g->nkinds, value, bytes);
    g->ncosts++;
}

static int
compare(const void *a, const void *b, void *context)
{
    const struct flow *f = context;
    u32 x = *(const u32 *)a, y = *(const u32 *)b;

    if (f->g->cost[x].func != f->g->cost[y].func)
        return f->g->cost[x].func < f->g->cost[y].func ? -1 : 1;
    if (f->left[x] != f->left[y])
        return f->left[x] > f->left[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static u32
source_of(const struct flow *f, u32 cost)
{
    return f->g->cost[cost].func;
}

static int
open_flow(struct flow *f, u32 kind)
{
    const struct callgraph *g = f->g;

    for (u32 i = 0; i < g->ncosts; i++) {
        const struct callgraph_cost *c = &g->cost[i];

        f->nfuncs = c->func >= f->nfuncs ? c->func + 1 : f->nfuncs;
        f->nfuncs = c->callee >= f->nfuncs ? c->callee + 1 : f->nfuncs;
    }
    f->order = calloc((size_t)g->ncosts + 1, sizeof(*f->order));
    f->left = calloc((size_t)g->ncosts + 1, sizeof(*f->left));
    f->first = calloc((size_t)f->nfuncs + 2, sizeof(*f->first));
    f->on_path = calloc((size_t)f->nfuncs + 1, sizeof(*f->on_path));
    if (!f->order || !f->left || !f->first || !f->on_path)
        return -ENOMEM;
    for (u32 i = 0; i < g->ncosts; i++) {
        f->order[i] = i;
        f->left[i] = g->value[(size_t)i * g->nkinds + kind];
        f->first[g->cost[i].func + 1]++;
    }
    for (u32 i = 0; i < f->nfuncs; i++)
        f->first[i + 1] += f->first[i];
    qsort_r(f->order, g->ncosts, sizeof(*f->order), compare, f);
    return 0;
}

/* The function's next cost that has something left; ncosts = there is none. */
static u32
next_cost(struct flow *f, u32 func, u32 end)
{
    for (u32 *at = &f->first[func]; *at < end; ++*at)
        if (f->left[f->order[*at]])
            return f->order[*at];
    return f->g->ncosts;
}

/* Adds a value to a stack: the calls of the path, with the cost's place as the leaf. */
static void
put_path(struct flow *f, u32 cost, u64 value)
{
    struct callgraph *g = f->g;
    u32 node = 0;

    for (u32 i = 0; i < f->npath; i++)
        if (source_of(f, f->path[i]) != g->root)
            node = names_node(g->im, f->hit->process, node,
                              g->cost[f->path[i]].place);
    f->hit->node = names_node(g->im, f->hit->process, node, g->cost[cost].place);
    kinds_add(g->im, f->kind, f->hit, value);
}

/* The least value left in the path's calls from index `from` on; at most `most`. */
static u64
least(const struct flow *f, u32 from, u64 most)
{
    for (u32 i = from; i < f->npath; i++)
        if (f->left[f->path[i]] < most)
            most = f->left[f->path[i]];
    return most;
}

static void
spend(struct flow *f, u32 from, u64 value)
{
    for (u32 i = from; i < f->npath; i++)
        f->left[f->path[i]] -= value;
}

static void
shorten(struct flow *f, u32 to)
{
    while (f->npath > to) {
        const struct callgraph_cost *c = &f->g->cost[f->path[--f->npath]];

        f->on_path[c->callee] = 0;
    }
}

/* Cuts the path at its first call that has nothing left. */
static void
shorten_to_live(struct flow *f)
{
    for (u32 i = 0; i < f->npath; i++)
        if (!f->left[f->path[i]]) {
            shorten(f, i);
            return;
        }
}

/* Counts the steps for making one stack. False: too many steps were made. */
static bool
spend_steps(const struct flow *f)
{
    struct callgraph *g = f->g;

    g->steps_left -= g->steps_left < f->npath + 1 ? g->steps_left : f->npath + 1;
    return g->steps_left > 0;
}

/*
 * Follows the calls of a function, and puts up to `budget` of its value into stacks
 * that begin with it. end[f]: the index in `order` past the last cost of function f.
 */
static void
follow(struct flow *f, u32 func, const u32 *end, u64 budget)
{
    struct callgraph *g = f->g;

    f->npath = 0;
    f->on_path[func] = 1;
    while (budget && !g->im->failed) {
        u32 at = f->npath ? g->cost[f->path[f->npath - 1]].callee : func;
        u32 cost = next_cost(f, at, end[at]);
        u64 value;

        if (cost == g->ncosts) {
            /*
             * The call has more left than the function that it calls: drop the
             * difference.
             */
            if (!f->npath)
                break;
            f->left[f->path[f->npath - 1]] = 0;
            shorten(f, f->npath - 1);
            continue;
        }
        if (!g->cost[cost].callee) {
            value = least(f, 0, budget < f->left[cost] ? budget : f->left[cost]);
            put_path(f, cost, value);
            f->left[cost] -= value;
            spend(f, 0, value);
            budget -= value;
            if (!spend_steps(f))
                break;
            shorten_to_live(f);
            continue;
        }
        if (f->on_path[g->cost[cost].callee] || f->npath == DEPTH) {
            u32 from = f->on_path[g->cost[cost].callee];

            /*
             * The function that is called is on the path already, or the path is as
             * long as it may be: drop the value.
             */
            value = from ? least(f, from - 1, f->left[cost]) : f->left[cost];
            f->left[cost] -= value;
            if (from)
                spend(f, from - 1, value);
            if (!spend_steps(f))
                break;
            shorten_to_live(f);
            continue;
        }
        f->path[f->npath++] = cost;
        f->on_path[g->cost[cost].callee] = f->npath + 1;
    }
    shorten(f, 0);
    f->on_path[func] = 0;
}

/* Puts what follow() left (circles, no more steps) into stacks of one frame. */
static void
put_rest(struct flow *f)
{
    f->npath = 0;
    for (u32 i = 0; i < f->g->ncosts && !f->g->im->failed; i++) {
        if (!f->left[i] || f->g->cost[i].callee)
            continue;
        f->unplaced += f->left[i];
        put_path(f, i, f->left[i]);
    }
}

static int
run_flow(struct flow *f)
{
    const struct callgraph *g = f->g;
    u64 *in = calloc((size_t)f->nfuncs + 1, sizeof(*in));
    u64 *out = calloc((size_t)f->nfuncs + 1, sizeof(*out));
    u32 *end = calloc((size_t)f->nfuncs + 1, sizeof(*end));

    if (in && out && end) {
        for (u32 i = 0; i < g->ncosts; i++) {
            out[g->cost[i].func] += f->left[i];
            in[g->cost[i].callee] += f->left[i];
        }
        for (u32 i = 0; i < f->nfuncs; i++)
            end[i] = f->first[i + 1];
        if (g->root && g->root < f->nfuncs)
            follow(f, g->root, end, out[g->root]);
        for (u32 i = 1; i < f->nfuncs && g->steps_left; i++)
            if (out[i] > in[i] && i != g->root)
                follow(f, i, end, out[i] - in[i]);
        put_rest(f);
    }
    free(in);
    free(out);
    free(end);
    return in && out && end && !g->im->failed ? 0 : -ENOMEM;
}

int
callgraph_settle(struct callgraph *g, const struct import_kind *kind,
                 struct import_hit *hit)
{
    u64 unplaced = 0;
    int ret = g->im->failed ? -ENOMEM : 0;

    for (u32 i = 0; i < g->nkinds && ret == 0; i++) {
        struct flow *f;

        if (!kind[i].clock && kind[i].counter == IMPORT_COUNTERS)
            continue;
        f = calloc(1, sizeof(*f));
        if (!f)
            return -ENOMEM;
        f->g = g;
        f->kind = &kind[i];
        f->hit = hit;
        ret = open_flow(f, i);
        if (ret == 0)
            ret = run_flow(f);
        unplaced += f->unplaced;
        free(f->order);
        free(f->left);
        free(f->first);
        free(f->on_path);
        free(f);
    }
    if (unplaced)
        import_add_note(g->im, "some calls form circles or are too many: what they "
                               "spend has no callers");
    return ret;
}
