/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/lookup/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/pool.h"

enum wish {
    WISH_TEXT,
    WISH_CALLEE,
    WISHES,
};

static const struct trace_wish wishes[WISHES] = {
    CALLS_TEXT_WISH,
    CALLS_CALLEE_WISH,
};

enum {
    CALLEES_MOST = 1 << 20, /* ignore callees with this or a larger id: damage */
};

void
calls_read_text(struct callee_reader *s, const struct trace_row *row)
{
    struct calls *c = s->calls;
    struct call_text text = { s->experiment, (u32)trace_get(row, 0),
                              trace_get(row, 1) != 0, trace_text(row, 2) };

    if (array_room(&c->text, &s->text_room, c->texts + 1, sizeof(text)) < 0)
        s->no_memory = true;
    else
        c->text[c->texts++] = text;
}

u32
calls_name(struct callee_reader *s, struct er_str row)
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

void
calls_read_callee(struct callee_reader *s, const struct trace_row *row)
{
    struct callee callee = { (u32)trace_get(row, 0), (u32)trace_get(row, 1),
                             calls_name(s, trace_text(row, 2)) };

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

static int
compare_callees(const void *a, const void *b)
{
    const struct callee *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

void
calls_sort_callees(struct callee_reader *s)
{
    if (s->callees > 1)
        qsort(s->callee, s->callees, sizeof(*s->callee), compare_callees);
}

const struct callee *
calls_callee(const struct callee_reader *s, u32 id)
{
    struct callee key = { .id = id };

    return s->callees ? bsearch(&key, s->callee, s->callees, sizeof(key),
                                compare_callees)
                      : NULL;
}

static int
compare_texts(const void *a, const void *b)
{
    const struct call_text *x = a, *y = b;

    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

void
calls_sort_texts(struct calls *c)
{
    if (c->texts > 1)
        qsort(c->text, c->texts, sizeof(*c->text), compare_texts);
}

static void
on_name(void *context, const struct trace_row *row)
{
    struct callee_reader *s = context;

    if (row->wish == WISH_TEXT)
        calls_read_text(s, row);
    else
        calls_read_callee(s, row);
}

/* Make the array of names by the callees' ids. 0 or -ENOMEM. */
static int
names_by_id(const struct callee_reader *s, u32 **name, u32 *ids)
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
    struct callee_reader s = { .calls = out, .experiment = experiment };
    struct trace_sink sink = { wishes, WISHES, on_name, &s };
    int ret;

    *out = (struct calls){ 0 };
    *name = NULL;
    *ids = 0;
    ret = tracescan_all(session, experiment, FILE_calltrace, &sink);
    if (ret == 0 && s.no_memory)
        ret = -ENOMEM;
    calls_sort_callees(&s);
    calls_sort_texts(out);
    if (ret == 0)
        ret = names_by_id(&s, name, ids);
    free(s.callee);
    if (ret < 0)
        calls_free(out);
    return ret == -ENOENT ? 0 : ret;
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
