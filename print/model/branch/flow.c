/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/branch/flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/machine.h"
#include "print/model/symbols/object.h"

enum {
    FUNCTION_MOST = 1 << 24, /* bytes: leave out functions of this size or more */
};

struct maker {
    struct session *session;
    const struct branch_data *data;
    const struct objfile *file;
    u32 object;
    csh engine;
    cs_insn *insn;
    struct flow_insn *out;
    u32 count, room;
    u32 first; /* index in `out` of the current function's first instruction */
    u64 *target; /* the addresses to which its instructions jump */
    u32 targets, targets_room;
    u64 *jump; /* sorted: the targets of all recorded jumps within the object */
    u32 jumps;
};

/*
 * The index of the current function's instruction at that address; UINT32_MAX = none.
 */
static u32
find(const struct maker *m, u64 addr)
{
    u32 lo = m->first, hi = m->count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (m->out[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < m->count && m->out[lo].addr == addr ? lo : UINT32_MAX;
}

static int
add_insn(struct maker *m)
{
    struct flow_insn i = { .addr = m->insn->address };
    struct machine_target to;

    if (array_room(&m->out, &m->room, m->count + 1, sizeof(i)) < 0)
        return -ENOMEM;
    i.jumps = branches_is_conditional(m->session, m->object, i.addr);
    m->out[m->count++] = i;
    machine_target(m->engine, m->insn, &to);
    if (to.kind != TARGET_BRANCH || cs_insn_group(m->engine, m->insn, CS_GRP_CALL))
        return 0;
    if (array_room(&m->target, &m->targets_room, m->targets + 1, sizeof(u64)) < 0)
        return -ENOMEM;
    m->target[m->targets++] = to.addr;
    return 0;
}

/* Add a function's instructions, up to the first invalid one. 0 or -ENOMEM. */
static int
decode(struct maker *m, const struct objfile_symbol *s)
{
    unsigned char *code = malloc(s->size);
    const unsigned char *at = code;
    long have = code ? objfile_code(m->file, s->addr, code, s->size) : -ENOMEM;
    size_t left = have > 0 ? (size_t)have : 0;
    u64 addr = s->addr;
    int ret = code ? 0 : -ENOMEM;

    m->first = m->count;
    m->targets = 0;
    while (ret == 0 && cs_disasm_iter(m->engine, &at, &left, &addr, m->insn))
        ret = add_insn(m);
    free(code);
    return ret;
}

static int
by_address(const void *a, const void *b)
{
    const u64 *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/*
 * Collect the targets of all jumps within the object, not only of those within a
 * function: a part of a function that was moved away from it (.cold) jumps back into
 * the function. 0 or -ENOMEM.
 */
static int
gather_jumps(struct maker *m)
{
    m->jump = calloc((size_t)m->data->nedges + 1, sizeof(*m->jump));
    if (!m->jump)
        return -ENOMEM;
    for (u32 i = 0; i < m->data->nedges; i++) {
        const struct branch_edge *e = &m->data->edge[i];

        if (e->to_object == m->object && e->from_object == m->object &&
            branches_type(m->session, e) == BRANCH_JUMP)
            m->jump[m->jumps++] = e->to;
    }
    qsort(m->jump, m->jumps, sizeof(*m->jump), by_address);
    return 0;
}

/*
 * Mark the instructions at which a basic block begins: targets of the function's own
 * jumps, and of recorded jumps.
 */
static void
mark_leaders(struct maker *m, const struct objfile_symbol *s)
{
    u32 at, from = s->addr ? array_above(m->jump, m->jumps, s->addr - 1) : 0;

    for (u32 i = 0; i < m->targets; i++) {
        at = find(m, m->target[i]);
        if (at != UINT32_MAX)
            m->out[at].leads = true;
    }
    for (u32 i = from; i < m->jumps && m->jump[i] < s->addr + s->size; i++) {
        at = find(m, m->jump[i]);
        if (at != UINT32_MAX)
            m->out[at].leads = true;
    }
}

/*
 * Until now, the function's counts are differences from the instruction before. Turn
 * them into counts by adding them up.
 */
static void
add_up(struct maker *m)
{
    u64 count = 0, on = 0;

    for (u32 i = m->first; i < m->count; i++) {
        m->out[i].count = count += m->out[i].count;
        m->out[i].on = on += m->out[i].on;
    }
}

/*
 * Add a function, with the ranges from *next on that begin in it. Set *next to the
 * first range after the function. 0 or -ENOMEM.
 */
static int
add_function(struct maker *m, const struct objfile_symbol *s, u32 *next)
{
    int ret = s->size < FUNCTION_MOST ? decode(m, s) : 0;
    u32 i = *next;

    if (ret == 0)
        mark_leaders(m, s);
    for (; i < m->data->nranges; i++) {
        const struct branch_range *r = &m->data->range[i];
        u32 start, end;

        if (r->object != m->object || r->start >= s->addr + s->size)
            break;
        start = find(m, r->start);
        end = find(m, r->end);
        if (start == UINT32_MAX || end == UINT32_MAX)
            continue;
        m->out[start].count += r->count;
        m->out[start].on += r->count;
        m->out[end].on -= r->count;
        if (end + 1 < m->count)
            m->out[end + 1].count -= r->count;
    }
    add_up(m);
    *next = i;
    return ret;
}

static int
add_all(struct maker *m)
{
    int ret = 0;

    for (u32 i = 0; i < m->data->nranges && ret == 0;) {
        struct objfile_symbol s;

        if (m->data->range[i].object != m->object ||
            objfile_symbol(m->file, m->data->range[i].start, &s) < 0)
            i++;
        else
            ret = add_function(m, &s, &i);
    }
    return ret;
}

int
flow_get(struct session *session, const struct branch_data *data, u32 object,
         struct flow_insn **out, u32 *count)
{
    struct maker m = { .session = session, .data = data, .object = object,
                       .file = object_file(session, object) };
    int ret = m.file ? machine_open(m.file, &m.engine) : -ENOTSUP;

    if (ret < 0)
        return ret;
    m.insn = cs_malloc(m.engine);
    ret = m.insn ? gather_jumps(&m) : -ENOMEM;
    if (ret == 0)
        ret = add_all(&m);
    if (m.insn)
        cs_free(m.insn, 1);
    cs_close(&m.engine);
    free(m.target);
    free(m.jump);
    if (ret < 0) {
        free(m.out);
        return ret;
    }
    *out = m.out;
    *count = m.count;
    return 0;
}
