/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/call/calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"
#include "print/load/clock.h"
#include "print/load/pool.h"
#include "print/model/tracescan.h"

enum wish {
    WISH_CALL,
    WISH_TEXT,
    WISH_CALLEE,
    WISH_PENDING,
    WISHES,
};

static const struct trace_wish wishes[WISHES] = {
    { "call", { "time", "took", "function", "node", "end", "error", "values" } },
    { "calltext", { "id", "cut", "text" } },
    { "callee", { "id", "slots", "row" } },
    /* The fields have the same order as those of a call; "" where there is none. */
    { "pending", { "time", "took", "function", "node", "", "", "values", "thread" } },
};

enum {
    CALLEES_MOST = 1 << 20, /* larger ids are damage */
};

/* A named function, by the id that it has in one experiment. */
struct callee {
    u32 id;
    u32 slots;
    u32 name;
};

struct part {
    struct call_made *made;
    u64 count;
    u32 room;
    bool no_memory;
};

struct scan {
    struct calls *calls;
    u32 experiment;
    double rate;
    struct experiment *e;
    pthread_mutex_t lock;
    bool no_memory;
    struct callee *callee;
    u32 callees, callee_room, text_room, name_room;
    struct part part[TRACE_WORKERS];
};

static void
on_call(struct scan *s, const struct trace_row *row)
{
    struct part *p = &s->part[row->worker];
    struct trace_share share;
    struct call_made made = { .experiment = s->experiment, .slot = row->slot };

    if (!tracescan_share(row, trace_get(row, 1), &share) || !share.counts)
        return;
    if (p->count >= UINT32_MAX ||
        array_room(&p->made, &p->room, (u32)p->count + 1, sizeof(made)) < 0) {
        p->no_memory = true;
        return;
    }
    made.since = trace_get(row, 0);
    made.took = trace_get(row, 1);
    made.name = (u32)trace_get(row, 2);
    made.node = (u32)trace_get(row, 3);
    made.end = (u32)trace_get(row, 4);
    made.error = (u32)trace_get(row, 5);
    made.values = trace_text(row, 6);
    if (row->wish == WISH_PENDING) {
        made.end = CALL_NOT_ENDED;
        made.slot = tracescan_slot(row, (u32)trace_get(row, 7));
    }
    p->made[p->count++] = made;
}

static void
on_text(struct scan *s, const struct trace_row *row)
{
    struct calls *c = s->calls;
    struct call_text text = { s->experiment, (u32)trace_get(row, 0),
                              trace_get(row, 1) != 0, trace_text(row, 2) };

    if (array_room(&c->text, &s->text_room, c->texts + 1, sizeof(text)) < 0)
        s->no_memory = true;
    else
        c->text[c->texts++] = text;
}

/* The index of the name with that row (of -T); it is added if it is new. */
static u32
name_of(struct scan *s, struct er_str row)
{
    struct calls *c = s->calls;
    struct call_name n = { .row_len = row.len };
    u32 at;

    for (u32 i = 0; i < c->names; i++)
        if (c->name[i].row_len == row.len && !memcmp(c->name[i].row, row.s, row.len))
            return i;
    n.row = pool_text(&c->pool, row.s, row.len);
    if (n.row && !calltype_parse(n.row, row.len, &n.type, &at)) {
        n.known = n.type.known;
        n.name = pool_text(&c->pool, n.row + n.type.name.at, n.type.name.len);
    } else {
        n.type = (struct call_type){ 0 };
        n.name = n.row;
    }
    if (!n.name ||
        array_room(&c->name, &s->name_room, c->names + 1, sizeof(n)) < 0) {
        s->no_memory = true;
        return 0;
    }
    c->name[c->names] = n;
    return c->names++;
}

static void
on_callee(struct scan *s, const struct trace_row *row)
{
    struct callee callee = { (u32)trace_get(row, 0), (u32)trace_get(row, 1),
                             name_of(s, trace_text(row, 2)) };

    for (u32 i = 0; i < s->callees; i++)
        if (s->callee[i].id == callee.id) {
            if (callee.slots > s->callee[i].slots)
                s->callee[i].slots = callee.slots;
            return;
        }
    if (array_room(&s->callee, &s->callee_room, s->callees + 1, sizeof(callee)) < 0)
        s->no_memory = true;
    else
        s->callee[s->callees++] = callee;
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct scan *s = context;

    if (row->wish == WISH_CALL || row->wish == WISH_PENDING) {
        on_call(s, row);
        return;
    }
    pthread_mutex_lock(&s->lock);
    if (row->wish == WISH_TEXT)
        on_text(s, row);
    else
        on_callee(s, row);
    pthread_mutex_unlock(&s->lock);
}

static int
compare_callees(const void *a, const void *b)
{
    const struct callee *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * Convert times to ns, and ids of callees to names; a callee without a name is
 * "<unknown>".
 */
static int
add_made(struct scan *s, const struct part *p)
{
    struct calls *c = s->calls;

    for (u64 i = 0; i < p->count; i++) {
        struct call_made *to = &c->made[c->count];
        struct callee key = { .id = p->made[i].name };
        const struct callee *callee =
            s->callees ? bsearch(&key, s->callee, s->callees, sizeof(key),
                                 compare_callees)
                       : NULL;

        *to = p->made[i];
        to->name = callee ? callee->name
                          : name_of(s, (struct er_str){ "<unknown>", 9 });
        to->since = tracescan_since(s->e, FILE_calltrace, to->since);
        to->took = clock_scaled(to->took, s->rate);
        c->count++;
    }
    return s->no_memory ? -ENOMEM : 0;
}

static int
gather(struct scan *s)
{
    struct calls *c = s->calls;
    u64 more = 0;
    struct call_made *longer;
    int ret = s->no_memory ? -ENOMEM : 0;

    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        more += s->part[i].count;
        if (s->part[i].no_memory)
            ret = -ENOMEM;
    }
    longer = realloc(c->made, (c->count + more + 1) * sizeof(*c->made));
    if (!longer)
        return -ENOMEM;
    c->made = longer;
    if (s->callees > 1)
        qsort(s->callee, s->callees, sizeof(*s->callee), compare_callees);
    for (u32 i = 0; i < TRACE_WORKERS && ret == 0; i++)
        ret = add_made(s, &s->part[i]);
    for (u32 i = 0; i < s->callees && ret == 0; i++)
        c->name[s->callee[i].name].slots += s->callee[i].slots;
    return ret;
}

static int
scan_one(struct session *session, struct scan *s)
{
    struct trace_sink sink = { wishes, WISHES, on_row, s };
    int ret = tracescan_rate(s->e, FILE_calltrace, &s->rate);

    if (ret == 0)
        ret = tracescan_run(session, s->experiment, FILE_calltrace, &sink);
    if (ret == 0) {
        s->calls->recorded = true;
        ret = gather(s);
    } else if (ret == -ENOENT) {
        s->calls->recorded |= experiment_asks(s->e, FILE_calltrace);
        ret = 0;
    }
    for (u32 i = 0; i < TRACE_WORKERS; i++) {
        free(s->part[i].made);
        s->part[i] = (struct part){ 0 };
    }
    s->callees = 0;
    return ret;
}

static int
compare_made(const void *a, const void *b)
{
    const struct call_made *x = a, *y = b;

    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return x->took < y->took ? -1 : x->took > y->took;
}

static int
compare_texts(const void *a, const void *b)
{
    const struct call_text *x = a, *y = b;

    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/*
 * Set `self`. Calls are sorted by their ends, so the calls within a call come right
 * before it. `open` is a stack of the calls that are not yet known to be within another
 * one.
 */
static int
find_self(struct calls *c)
{
    u64 *open = malloc((c->count + 1) * sizeof(*open));
    u64 depth = 0;

    if (!open)
        return -ENOMEM;
    for (u64 i = 0; i < c->count; i++) {
        struct call_made *m = &c->made[i];
        u64 begin = m->since - (m->took < m->since ? m->took : m->since);

        m->self = m->took;
        while (depth) {
            const struct call_made *inner = &c->made[open[depth - 1]];

            if (inner->experiment != m->experiment || inner->slot != m->slot ||
                inner->since - inner->took < begin)
                break;
            m->self -= inner->took < m->self ? inner->took : m->self;
            depth--;
        }
        if (depth && (c->made[open[depth - 1]].experiment != m->experiment ||
                      c->made[open[depth - 1]].slot != m->slot))
            depth = 0;
        open[depth++] = i;
    }
    free(open);
    return 0;
}

static void
on_name(void *context, const struct trace_row *row)
{
    struct scan *s = context;

    /* wish is counted from the first wish that was passed to the scan. */
    if (row->wish + WISH_TEXT == WISH_TEXT)
        on_text(s, row);
    else
        on_callee(s, row);
}

/* Make an array of names, indexed by the callees' ids. */
static int
names_by_id(const struct scan *s, u32 **name, u32 *ids)
{
    u32 most = s->callees ? s->callee[s->callees - 1].id : 0;

    if (most >= CALLEES_MOST)
        most = CALLEES_MOST - 1;
    *name = malloc(((size_t)most + 1) * sizeof(**name));
    if (!*name)
        return -ENOMEM;
    for (u32 i = 0; i <= most; i++)
        (*name)[i] = CALLS_NO_NAME;
    for (u32 i = 0; i < s->callees && s->callee[i].id <= most; i++)
        (*name)[s->callee[i].id] = s->callee[i].name;
    *ids = most + 1;
    return 0;
}

int
calls_names(struct session *session, u32 experiment, struct calls *out, u32 **name,
            u32 *ids)
{
    struct scan s = { .calls = out, .experiment = experiment };
    struct trace_sink sink = { wishes + WISH_TEXT, 2, on_name, &s };
    int ret;

    _Static_assert(WISH_CALLEE == WISH_TEXT + 1, "these two");
    *out = (struct calls){ 0 };
    *name = NULL;
    *ids = 0;
    ret = tracescan_all(session, experiment, FILE_calltrace, &sink);
    if (ret == 0 && s.no_memory)
        ret = -ENOMEM;
    if (ret == 0 && s.callees > 1)
        qsort(s.callee, s.callees, sizeof(*s.callee), compare_callees);
    if (ret == 0 && out->texts > 1)
        qsort(out->text, out->texts, sizeof(*out->text), compare_texts);
    if (ret == 0)
        ret = names_by_id(&s, name, ids);
    free(s.callee);
    if (ret < 0)
        calls_free(out);
    return ret == -ENOENT ? 0 : ret;
}

int
calls_build(struct session *session, struct calls *out)
{
    struct scan s = { .calls = out, .lock = PTHREAD_MUTEX_INITIALIZER };
    int ret = 0;

    *out = (struct calls){ 0 };
    for (u32 i = 0; i < session->nexperiments && ret == 0; i++) {
        s.experiment = i;
        s.e = session->experiment[i];
        ret = scan_one(session, &s);
    }
    free(s.callee);
    if (ret == 0 && out->count > 1)
        qsort(out->made, out->count, sizeof(*out->made), compare_made);
    if (ret == 0 && out->texts > 1)
        qsort(out->text, out->texts, sizeof(*out->text), compare_texts);
    if (ret == 0)
        ret = find_self(out);
    if (ret < 0)
        calls_free(out);
    return ret;
}

void
calls_free(struct calls *c)
{
    free(c->made);
    free(c->name);
    free(c->text);
    pool_free(c->pool);
    *c = (struct calls){ 0 };
}

const struct call_text *
calls_text(const struct calls *c, u32 experiment, u32 id)
{
    struct call_text key = { .experiment = experiment, .id = id };

    return c->texts ? bsearch(&key, c->text, c->texts, sizeof(key), compare_texts)
                    : NULL;
}
