/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/views/aggregate.h"
#include "print/model/symbols/functions.h"
#include "print/model/views/order.h"
#include "print/model/views/view.h"

/*
 * What is attributed to the functions on one side of a fragment: its callers or its
 * callees.
 */
struct side {
    struct values *sum; /* by function; zeros except for those in `touched` */
    bool *is_touched;   /* by function */
    u32 *touched;
    u32 count;
};

struct arounds {
    struct session *session;
    struct stack_tree walk;
    struct sums sums;
    struct side caller, callee;
};

/* The path from the root to the node at which the pass is. */
struct search {
    struct session *session;
    const struct stack_tree *walk;
    struct arounds *all;
    const u32 *fragment;
    u32 length;
    u32 *path; /* functions, outermost first, from <Total> on */
    u32 depth;
    u32 path_room;
    u32 *found; /* for each occurrence on the path: the index after its end */
    u32 nfound;
    u32 found_room;
    struct values self;
    struct values inclusive;
    bool no_memory;
};

/* Is the end of the path equal to the fragment? */
static bool
ends_here(const struct search *s)
{
    return s->depth >= s->length &&
           !memcmp(s->path + s->depth - s->length, s->fragment,
                   s->length * sizeof(*s->path));
}

static void
push(struct search *s, u32 func)
{
    if (array_room(&s->path, &s->path_room, s->depth + 1, sizeof(func)) < 0 ||
        array_room(&s->found, &s->found_room, s->nfound + 1, sizeof(func)) < 0) {
        s->no_memory = true;
        return;
    }
    s->path[s->depth++] = func;
    if (ends_here(s))
        s->found[s->nfound++] = s->depth;
}

static void
add_to(struct side *side, u32 func, const struct grid *self, u32 node)
{
    if (!side->is_touched[func]) {
        side->is_touched[func] = true;
        side->touched[side->count++] = func;
    }
    grid_add_to(self, node, &side->sum[func]);
}

static void
attribute(struct search *s, u32 node)
{
    u32 outermost = s->found[0] - s->length, innermost = s->found[s->nfound - 1];
    const struct grid *self = s->walk->self;

    grid_add_to(self, node, &s->inclusive);
    if (outermost)
        add_to(&s->all->caller, s->path[outermost - 1], self, node);
    if (innermost == s->depth)
        grid_add_to(self, node, &s->self);
    else
        add_to(&s->all->callee, s->path[innermost], self, node);
}

static void
enter(void *context, u32 node)
{
    struct search *s = context;
    u32 first = s->walk->first[node];

    for (u32 i = 0; i < s->walk->depth[node]; i++)
        push(s, aggregate_frame(s->session, first + i)->func);
    if (s->nfound && !s->no_memory)
        attribute(s, node);
}

static void
leave(void *context, u32 node)
{
    struct search *s = context;
    u32 depth = s->walk->depth[node];

    s->depth = s->depth > depth ? s->depth - depth : 0;
    while (s->nfound && s->found[s->nfound - 1] > s->depth)
        s->nfound--;
}

/* Exclusive and inclusive values of all functions, by function. */
static int
sum_functions(struct session *session, const struct stack_tree *walk, struct sums *out)
{
    u32 frames = aggregate_frames(session);
    u32 *key = malloc(((size_t)frames + 1) * sizeof(*key));
    int ret;

    if (!key)
        return -ENOMEM;
    for (u32 i = 0; i < frames; i++)
        key[i] = aggregate_frame(session, i)->func;
    ret = aggregate(walk, key, function_count(session), out);
    free(key);
    return ret;
}

static struct row
function_row(struct session *session, const struct search *s, const struct sums *sums,
             u32 func)
{
    struct row row = {
        .func = func,
        .object = session->functions->function[func].object,
    };

    if (func == FUNC_TOTAL && s->walk->count) {
        row.excl = row.incl = grid_get(&s->walk->total, 0);
    } else if (func != FUNC_TOTAL) {
        row.excl = grid_get(&sums->excl, func);
        row.incl = grid_get(&sums->incl, func);
    }
    return row;
}

/* Make the rows of one side, and clear its sums for the next fragment. */
static int
make_rows(struct session *session, const struct search *s, struct side *side,
          struct rows *out)
{
    const struct sums *sums = &s->all->sums;
    u32 n = 0;

    out->row = malloc(((size_t)side->count + 1) * sizeof(*out->row));
    for (u32 i = 0; i < side->count; i++) {
        u32 f = side->touched[i];

        if (out->row && values_any(&side->sum[f])) {
            out->row[n] = function_row(session, s, sums, f);
            out->row[n++].attr = side->sum[f];
        }
        side->sum[f] = (struct values){ { 0 } };
        side->is_touched[f] = false;
    }
    side->count = 0;
    if (!out->row)
        return -ENOMEM;
    out->count = n;
    out->total = function_row(session, s, sums, FUNC_TOTAL);
    out->total.attr = out->total.incl;
    return 0;
}

static int
fill(struct session *session, const struct search *s, const struct order *order,
     struct around *out)
{
    struct around around = { 0 };
    u32 last = s->fragment[s->length - 1];
    int ret = make_rows(session, s, &s->all->caller, &around.callers);

    if (make_rows(session, s, &s->all->callee, &around.callees) < 0 || ret < 0) {
        around_free(&around);
        return -ENOMEM;
    }
    around.self = function_row(session, s, &s->all->sums, last);
    around.self.excl = around.self.attr = s->self;
    around.self.incl = s->inclusive;
    order_rows(session, order, around.callers.row, around.callers.count);
    order_rows(session, order, around.callees.row, around.callees.count);
    *out = around;
    return 0;
}

static int
search(struct search *s)
{
    struct visitor visitor = { enter, leave, s };
    int ret;

    push(s, FUNC_TOTAL); /* <Total> calls the functions that have no other caller */
    ret = aggregate_visit(s->walk, &visitor);
    return s->no_memory ? -ENOMEM : ret;
}

static int
side_open(struct side *side, u32 functions)
{
    side->sum = calloc(functions, sizeof(*side->sum));
    side->is_touched = calloc(functions, sizeof(*side->is_touched));
    side->touched = calloc(functions, sizeof(*side->touched));
    return side->sum && side->is_touched && side->touched ? 0 : -ENOMEM;
}

static void
side_close(struct side *side)
{
    free(side->sum);
    free(side->is_touched);
    free(side->touched);
}

int
arounds_open(struct session *session, struct arounds **out)
{
    struct arounds *all = calloc(1, sizeof(*all));
    u32 functions;
    int ret;

    if (!all)
        return -ENOMEM;
    all->session = session;
    ret = aggregate_open(session, false, &all->walk);
    if (ret < 0) {
        free(all);
        return ret;
    }
    functions = function_count(session);
    ret = sum_functions(session, &all->walk, &all->sums);
    if (ret == 0 && (side_open(&all->caller, functions) < 0 ||
                     side_open(&all->callee, functions) < 0))
        ret = -ENOMEM;
    if (ret < 0)
        arounds_close(all);
    else
        *out = all;
    return ret;
}

void
arounds_close(struct arounds *all)
{
    if (!all)
        return;
    side_close(&all->caller);
    side_close(&all->callee);
    sums_free(&all->sums);
    aggregate_close(&all->walk);
    free(all);
}

int
arounds_get(struct arounds *all, const u32 *fragment, u32 length,
            const struct order *order, struct around *out)
{
    struct search s = {
        .session = all->session,
        .walk = &all->walk,
        .all = all,
        .fragment = fragment,
        .length = length,
    };
    struct around around = { 0 };
    int found, ret;

    if (!length)
        return -EINVAL;
    for (u32 i = 0; i < length; i++)
        if (fragment[i] >= function_count(all->session))
            return -EINVAL;
    found = search(&s);
    ret = fill(all->session, &s, order, &around);
    if (found < 0 || ret < 0)
        around_free(&around);
    else
        *out = around;
    free(s.path);
    free(s.found);
    return found < 0 ? found : ret;
}

int
view_around(struct session *session, const u32 *fragment, u32 length,
            const struct order *order, struct around *out)
{
    struct arounds *all;
    int ret = arounds_open(session, &all);

    if (ret < 0)
        return ret;
    ret = arounds_get(all, fragment, length, order, out);
    arounds_close(all);
    return ret;
}

void
around_free(struct around *around)
{
    rows_free(&around->callers);
    rows_free(&around->callees);
}
