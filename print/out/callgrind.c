/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes callgrind's format: what each line of each function spends itself and in its
 * calls. Some readers take the sum of both for the function's inclusive value. So if a
 * function recurs on a stack, only the calls of its innermost occurrence count. Other
 * readers add up what a function's callers spend in it; so <Total> calls the functions
 * without a caller.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "print/base/array.h"
#include "print/out/stackset.h"

enum {
    NOBODY = UINT32_MAX,
};

/* What values are for: the cost of a line itself, or of its calls of one function. */
struct cost {
    u32 func;
    u32 file;
    u32 line;
    u32 callee; /* the function called; NOBODY = the line's own cost */
};

/* A frame on the path from the root to the node that is being visited. */
struct open_frame {
    struct site_frame frame;
    u32 cost;  /* index of the cost of the call made here; NOBODY = none yet */
    u32 outer; /* index of the previous frame of its function; NOBODY = none */
};

struct writer {
    struct out *out;
    struct stackset set;
    struct cost *cost;
    int64_t *value; /* nmetrics values for each cost */
    u32 ncosts;
    u32 costs_room;
    u32 values_room;
    struct hash hash;
    struct open_frame *open;
    u32 nopen;
    u32 open_room;
    u32 *innermost; /* by function: its last place in `open` + 1, 0 = none */
    bool failed;
};

struct key {
    const struct writer *w;
    struct cost cost;
};

static bool
same_cost(const void *context, u32 index)
{
    const struct key *key = context;

    return !memcmp(&key->w->cost[index], &key->cost, sizeof(key->cost));
}

/* The index of a cost, which is added if it is new; NOBODY: no memory. */
static u32
cost_of(struct writer *w, const struct site_frame *frame, u32 callee)
{
    struct key key = { w, { frame->func, frame->file, frame->line, callee } };
    u32 hash = (u32)hash_bytes(0, &key.cost, sizeof(key.cost)), n = w->set.nmetrics;
    u32 at = hash_find(&w->hash, hash, same_cost, &key);

    if (at != HASH_NONE)
        return at;
    if (array_room(&w->cost, &w->costs_room, w->ncosts + 1, sizeof(key.cost)) < 0 ||
        array_room_zero(&w->value, &w->values_room, w->ncosts + 1,
                        n * sizeof(*w->value)) < 0 ||
        hash_add(&w->hash, hash, w->ncosts) < 0) {
        w->failed = true;
        return NOBODY;
    }
    w->cost[w->ncosts] = key.cost;
    return w->ncosts++;
}

/*
 * Add to a cost what a node and the nodes below it spend; if sign is -1, subtract it.
 * Values below 0 are left out; only roots without children have such.
 */
static void
add_total(struct writer *w, u32 cost, u32 node, int sign)
{
    const struct stackset *set = &w->set;

    for (u32 i = 0; i < set->nmetrics && cost != NOBODY; i++) {
        int64_t value = grid_value(&set->walk.total, node, set->metric[i]);

        if (value > 0)
            w->value[(size_t)cost * set->nmetrics + i] += sign * value;
    }
}

static void
open_one(struct writer *w, u32 node, struct site_frame frame)
{
    static const struct site_frame total = { .func = FUNC_TOTAL };
    u32 *innermost = &w->innermost[frame.func];
    struct open_frame *caller = w->nopen ? &w->open[w->nopen - 1] : NULL;
    u32 cost = cost_of(w, caller ? &caller->frame : &total, frame.func);

    add_total(w, cost, node, 1);
    if (caller)
        caller->cost = cost;
    if (*innermost)
        add_total(w, w->open[*innermost - 1].cost, node, -1);
    if (array_room(&w->open, &w->open_room, w->nopen + 1, sizeof(*w->open)) < 0) {
        w->failed = true;
        return;
    }
    w->open[w->nopen++] = (struct open_frame){ frame, NOBODY, *innermost };
    *innermost = w->nopen;
}

static void
enter(void *context, u32 node)
{
    struct writer *w = context;
    const struct location *l = &w->set.location[w->set.of_node[node]];
    int64_t value[METRIC_COUNT];
    u32 cost;

    for (u32 i = 0; i < l->depth && !w->failed; i++)
        open_one(w, node, stackset_frame(&w->set, l, i));
    if (w->failed || !w->nopen || !stackset_values(&w->set, node, value))
        return;
    cost = cost_of(w, &w->open[w->nopen - 1].frame, NOBODY);
    for (u32 i = 0; i < w->set.nmetrics && cost != NOBODY; i++)
        w->value[(size_t)cost * w->set.nmetrics + i] += value[i];
}

static void
leave(void *context, u32 node)
{
    struct writer *w = context;

    for (u32 i = w->set.location[w->set.of_node[node]].depth; i && w->nopen; i--) {
        const struct open_frame *o = &w->open[--w->nopen];

        w->innermost[o->frame.func] = o->outer;
    }
}

static int
compare(const void *a, const void *b, void *context)
{
    const struct writer *w = context;
    const struct cost *x = &w->cost[*(const u32 *)a], *y = &w->cost[*(const u32 *)b];

    if (x->func != y->func)
        return x->func < y->func ? -1 : 1;
    if ((x->callee == NOBODY) != (y->callee == NOBODY))
        return x->callee == NOBODY ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static const char *
path_of(const struct writer *w, u32 file)
{
    return file ? file_path(w->out->session, file) : "???";
}

/*
 * Write a name. At its first use it is written in full with a number; later, only the
 * number.
 */
static void
put_name(struct writer *w, const char *key, u32 id, const char *name)
{
    fprintf(w->out->f, "%s=(%u) ", key, id);
    for (; *name; name++)
        putc(*name == '\n' ? ' ' : *name, w->out->f);
    putc('\n', w->out->f);
}

static void
put_function(struct writer *w, u32 func, bool called)
{
    struct function_info f;
    struct object_info o;

    function_get(w->out->session, func, &f);
    object_get(w->out->session, f.object, &o);
    put_name(w, called ? "cob" : "ob", f.object + 1, f.object ? o.path : "???");
    put_name(w, called ? "cfi" : "fl", f.file + 1, path_of(w, f.file));
    put_name(w, called ? "cfn" : "fn", func + 1,
             func == FUNC_TOTAL ? "<Total>" : w->set.name.text[func]);
}

static void
put_cost(struct writer *w, u32 at)
{
    const int64_t *value = &w->value[(size_t)at * w->set.nmetrics];

    fprintf(w->out->f, "%u", w->cost[at].line);
    for (u32 i = 0; i < w->set.nmetrics; i++)
        fprintf(w->out->f, " %" PRId64, value[i]);
    putc('\n', w->out->f);
}

static bool
is_nothing(const struct writer *w, u32 at)
{
    for (u32 i = 0; i < w->set.nmetrics; i++)
        if (w->value[(size_t)at * w->set.nmetrics + i])
            return false;
    return true;
}

static void
put_costs(struct writer *w, const u32 *sorted)
{
    u32 func = NOBODY, file = 0;

    for (u32 i = 0; i < w->ncosts; i++) {
        const struct cost *c = &w->cost[sorted[i]];

        if (is_nothing(w, sorted[i]))
            continue;
        if (c->func != func) {
            struct function_info info;

            func = c->func;
            putc('\n', w->out->f);
            put_function(w, func, false);
            function_get(w->out->session, func, &info);
            file = info.file;
        }
        if (c->file != file) {
            file = c->file;
            put_name(w, "fi", file + 1, path_of(w, file));
        }
        if (c->callee != NOBODY) {
            struct function_info callee;

            put_function(w, c->callee, true);
            function_get(w->out->session, c->callee, &callee);
            fprintf(w->out->f, "calls=1 %u\n", callee.line);
        }
        put_cost(w, sorted[i]);
    }
}

static void
put_header(struct writer *w)
{
    const struct session *s = w->out->session;
    const struct stackset *set = &w->set;
    FILE *f = w->out->f;

    fputs("# callgrind format\nversion: 1\n"
          "creator: " PACKAGE_NAME " " PACKAGE_VERSION "\n", f);
    if (s->nexperiments)
        fprintf(f, "pid: %u\n", s->experiment[0]->pid);
    fprintf(f, "cmd: %s\npositions: line\n", out_program(w->out));
    for (u32 i = 0; i < set->nmetrics; i++)
        fprintf(f, "event: %s : %s (%s)\n", metrics[set->metric[i]].name,
                metrics[set->metric[i]].title, out_unit(set->metric[i]));
    fputs("events:", f);
    for (u32 i = 0; i < set->nmetrics; i++)
        fprintf(f, " %s", metrics[set->metric[i]].name);
    fputs("\nsummary:", f);
    for (u32 i = 0; i < set->nmetrics; i++) {
        int64_t total = 0;

        for (u32 k = 0; k < w->ncosts; k++)
            if (w->cost[k].callee == NOBODY)
                total += w->value[(size_t)k * set->nmetrics + i];
        fprintf(f, " %" PRId64, total);
    }
    putc('\n', f);
}

static int
put_file(struct writer *w)
{
    u32 *sorted = calloc((size_t)w->ncosts + 1, sizeof(*sorted));

    if (!sorted)
        return -ENOMEM;
    for (u32 i = 0; i < w->ncosts; i++)
        sorted[i] = i;
    qsort_r(sorted, w->ncosts, sizeof(*sorted), compare, w);
    put_header(w);
    put_costs(w, sorted);
    for (u32 i = 0; i < w->set.nmetrics; i++)
        out_warn_negative(w->out, w->set.metric[i], w->set.negative[i]);
    free(sorted);
    return 0;
}

int
out_callgrind(struct out *out)
{
    struct writer w = { .out = out };
    struct visitor visitor = { enter, leave, &w };
    int ret = stackset_open(out, &w.set);

    if (ret < 0)
        return ret;
    w.innermost = calloc((size_t)function_count(out->session) + 1,
                         sizeof(*w.innermost));
    ret = w.innermost ? aggregate_visit(&w.set.walk, &visitor) : -ENOMEM;
    if (ret == 0)
        ret = w.failed ? -ENOMEM : put_file(&w);
    stackset_close(&w.set);
    hash_free(&w.hash);
    free(w.cost);
    free(w.value);
    free(w.open);
    free(w.innermost);
    return ret;
}
