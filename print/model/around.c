/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"
#include "print/model/aggregate.h"
#include "print/model/functions.h"
#include "print/model/order.h"
#include "print/model/view.h"

/* The way from the root to where the walk is. */
struct search {
    struct session *session;
    const struct walk *walk;
    const u32 *fragment;
    u32 length;
    u32 *path; /* functions, outermost first, from <Total> on */
    u32 depth;
    u32 path_room;
    u32 *found; /* where in the path occurrences end, outermost first */
    u32 nfound;
    u32 found_room;
    struct values *caller; /* attributed, by function */
    struct values *callee;
    struct values self;
    struct values inclusive;
    bool no_memory;
};

/* Does the fragment end with the last function of the path? */
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
attribute(struct search *s, u32 node)
{
    u32 outermost = s->found[0] - s->length, innermost = s->found[s->nfound - 1];
    const struct sheet *self = s->walk->self;

    sheet_add_to(self, node, &s->inclusive);
    if (outermost)
        sheet_add_to(self, node, &s->caller[s->path[outermost - 1]]);
    if (innermost == s->depth)
        sheet_add_to(self, node, &s->self);
    else
        sheet_add_to(self, node, &s->callee[s->path[innermost]]);
}

static void
enter(void *context, u32 node)
{
    struct search *s = context;
    u32 first = s->walk->first[node];

    for (u32 i = 0; i < s->walk->depth[node]; i++)
        push(s, walk_frame(s->session, first + i)->func);
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
sum_functions(struct session *session, const struct walk *walk, struct sums *out)
{
    u32 frames = walk_frames(session);
    u32 *key = malloc(((size_t)frames + 1) * sizeof(*key));
    int ret;

    if (!key)
        return -ENOMEM;
    for (u32 i = 0; i < frames; i++)
        key[i] = walk_frame(session, i)->func;
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
        row.excl = row.incl = sheet_get(&s->walk->total, 0);
    } else if (func != FUNC_TOTAL) {
        row.excl = sheet_get(&sums->excl, func);
        row.incl = sheet_get(&sums->incl, func);
    }
    return row;
}

static int
take_rows(struct session *session, const struct search *s, const struct sums *sums,
          const struct values *attributed, struct rows *out)
{
    u32 n = 0;

    out->row = malloc(((size_t)sums->keys + 1) * sizeof(*out->row));
    if (!out->row)
        return -ENOMEM;
    for (u32 f = 0; f < sums->keys; f++) {
        if (!values_any(&attributed[f]))
            continue;
        out->row[n] = function_row(session, s, sums, f);
        out->row[n++].attr = attributed[f];
    }
    out->count = n;
    out->total = function_row(session, s, sums, FUNC_TOTAL);
    out->total.attr = out->total.incl;
    return 0;
}

static int
fill(struct session *session, const struct search *s, const struct sums *sums,
     const struct order *order, struct around *out)
{
    struct around around = { 0 };
    u32 last = s->fragment[s->length - 1];

    if (take_rows(session, s, sums, s->caller, &around.callers) < 0 ||
        take_rows(session, s, sums, s->callee, &around.callees) < 0) {
        around_free(&around);
        return -ENOMEM;
    }
    around.self = function_row(session, s, sums, last);
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
    u32 functions = function_count(s->session);
    int ret;

    s->caller = calloc(functions, sizeof(*s->caller));
    s->callee = calloc(functions, sizeof(*s->callee));
    if (!s->caller || !s->callee)
        return -ENOMEM;
    push(s, FUNC_TOTAL); /* calls all that nobody else calls */
    ret = walk_visit(s->walk, &visitor);
    return s->no_memory ? -ENOMEM : ret;
}

int
view_around(struct session *session, const u32 *fragment, u32 length,
            const struct order *order, struct around *out)
{
    struct walk walk;
    struct sums sums = { 0 };
    struct search s = {
        .session = session,
        .walk = &walk,
        .fragment = fragment,
        .length = length,
    };
    int ret;

    if (!length)
        return -EINVAL;
    for (u32 i = 0; i < length; i++)
        if (fragment[i] >= function_count(session))
            return -EINVAL;
    ret = walk_open(session, false, &walk);
    if (ret < 0)
        return ret;
    ret = sum_functions(session, &walk, &sums);
    if (ret == 0)
        ret = search(&s);
    if (ret == 0)
        ret = fill(session, &s, &sums, order, out);
    free(s.path);
    free(s.found);
    free(s.caller);
    free(s.callee);
    sums_free(&sums);
    walk_close(&walk);
    return ret;
}

void
around_free(struct around *around)
{
    rows_free(&around->callers);
    rows_free(&around->callees);
}
