/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the counts of an LLVM sample profile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/branch/flow.h"
#include "print/model/symbols/machine.h"
#include "print/out/afdo.h"

enum {
    NS_PER_COUNT = 1000, /* of metrics that are times: counts are microseconds */
    FUNCTION_MOST = 1 << 24, /* bytes: larger functions are not disassembled */
};

u32
afdo_plain_length(const char *name)
{
    static const char *const suffixes[] = { ".llvm.", ".part.", ".cold", ".isra.",
                                            ".constprop." };
    size_t len = strlen(name);

    for (u32 i = 0; i < ER_COUNT(suffixes); i++) {
        const char *at = strstr(name, suffixes[i]);

        if (at && at > name && (size_t)(at - name) < len)
            len = (size_t)(at - name);
    }
    return (u32)len;
}

static int
compare_cost(const void *a, const void *b)
{
    const struct afdo_cost *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Is the instruction at that address a call through a register or memory? */
static bool
is_indirect(const struct objfile *file, u64 addr)
{
    unsigned char code[4] = { 0 };
    u32 at = 0;

    if (objfile_code(file, addr, code, sizeof(code)) < 2)
        return false;
    while (at < 2 && ((code[at] & 0xf0) == 0x40 || code[at] == 0x3e ||
                      code[at] == 0xf2))
        at++;
    return code[at] == 0xff && (code[at + 1] >> 3 & 7) == 2;
}

static bool
add_call(struct afdo_writer *w, u64 addr, u64 callee, u64 count)
{
    struct objfile_symbol s;
    struct afdo_call call = { .addr = addr, .count = count };

    if (!is_indirect(w->file, addr) || objfile_symbol(w->file, callee, &s) < 0 ||
        !*s.name || strpbrk(s.name, " :\t\n"))
        return true;
    call.name = s.name;
    call.len = afdo_plain_length(s.name);
    if (array_room(&w->call, &w->calls_room, w->ncalls + 1, sizeof(call)) < 0)
        return false;
    w->call[w->ncalls++] = call;
    return true;
}

/*
 * Go along a stack from leaf to root, and add the indirect calls within the program.
 * False: no memory.
 */
static bool
add_calls(struct afdo_writer *w, u32 node, u64 count)
{
    const struct location *callee = &w->set.location[w->set.of_node[node]];

    for (u32 up = stackset_caller(&w->set, node); up;
         up = stackset_caller(&w->set, up)) {
        const struct location *l = &w->set.location[w->set.of_node[up]];

        if (l->object == w->object && l->addr && callee->object == w->object &&
            callee->addr && !add_call(w, l->addr, callee->addr, count))
            return false;
        callee = l;
    }
    return true;
}

static int
add_cost(struct afdo_writer *w, u64 addr, u64 count)
{
    if (array_room(&w->cost, &w->costs_room, w->ncosts + 1, sizeof(*w->cost)) < 0)
        return -ENOMEM;
    w->cost[w->ncosts++] = (struct afdo_cost){ addr, count };
    return 0;
}

/* Add a count of 0 for each instruction of a function. */
static int
add_silent_function(struct afdo_writer *w, const struct objfile_symbol *s, csh engine,
                    cs_insn *insn)
{
    unsigned char *code = s->size < FUNCTION_MOST ? malloc(s->size) : NULL;
    long have = code ? objfile_code(w->file, s->addr, code, s->size) : 0;
    const unsigned char *at = code;
    size_t left = have > 0 ? (size_t)have : 0;
    u64 addr = s->addr;
    int ret = 0;

    while (ret == 0 && left && cs_disasm_iter(engine, &at, &left, &addr, insn))
        ret = add_cost(w, insn->address, 0);
    free(code);
    return ret;
}

/*
 * Add the instructions that were never hit, of functions that were, so that the mean of
 * a line counts them. Without a disassembler for this processor's code they are left
 * out.
 */
static int
add_silent(struct afdo_writer *w)
{
    u32 hits = w->ncosts;
    cs_insn *insn = NULL;
    u64 end = 0;
    csh engine;
    int ret = 0;

    if (!w->file || machine_open(w->file, &engine) < 0)
        return 0;
    insn = cs_malloc(engine);
    for (u32 i = 0; i < hits && ret == 0 && insn; i++) {
        struct objfile_symbol s;

        if (w->cost[i].addr < end || objfile_symbol(w->file, w->cost[i].addr, &s) < 0)
            continue;
        end = s.addr + s.size;
        ret = add_silent_function(w, &s, engine, insn);
    }
    if (insn)
        cs_free(insn, 1);
    cs_close(&engine);
    return insn ? ret : -ENOMEM;
}

int
afdo_gather_stacks(struct afdo_writer *w)
{
    bool ns = metrics[w->set.metric[0]].unit == METRIC_NS;
    int64_t value[METRIC_COUNT];

    for (u32 i = stackset_next(&w->set, 0); i; i = stackset_next(&w->set, i)) {
        u32 top = stackset_top(&w->set, i);
        const struct location *l = &w->set.location[top ? w->set.of_node[top] : 0];
        struct afdo_cost cost = { .addr = l->addr };

        if (!stackset_values(&w->set, i, value) || value[0] <= 0)
            continue;
        cost.count = (u64)value[0];
        if (ns)
            cost.count = (cost.count + NS_PER_COUNT - 1) / NS_PER_COUNT;
        if (top && !add_calls(w, top, cost.count))
            return -ENOMEM;
        if (!l->addr || l->object != w->object) {
            w->elsewhere += cost.count;
            continue;
        }
        if (add_cost(w, cost.addr, cost.count) < 0)
            return -ENOMEM;
    }
    if (!w->ncosts)
        return 0;
    qsort(w->cost, w->ncosts, sizeof(*w->cost), compare_cost);
    if (add_silent(w) < 0)
        return -ENOMEM;
    qsort(w->cost, w->ncosts, sizeof(*w->cost), compare_cost);
    return 0;
}

int
afdo_gather_branches(struct afdo_writer *w, const struct branch_data *data)
{
    struct flow_insn *insn;
    u64 all = 0, elsewhere = 0;
    u32 count;
    int ret = flow_get(w->out->session, data, w->object, &insn, &count);

    if (ret < 0)
        return ret;
    for (u32 i = 0; i < count && ret == 0; i++) {
        if (!insn[i].count)
            continue;
        ret = add_cost(w, insn[i].addr, insn[i].count);
    }
    free(insn);
    for (u32 i = 0; i < data->nedges && ret == 0; i++) {
        const struct branch_edge *e = &data->edge[i];

        if (e->from_object == w->object && e->to_object == w->object &&
            branches_type(w->out->session, e) == BRANCH_CALL &&
            !add_call(w, e->from, e->to, e->count))
            ret = -ENOMEM;
    }
    for (u32 i = 0; i < data->nranges; i++) {
        all += data->range[i].count;
        if (data->range[i].object != w->object)
            elsewhere += data->range[i].count;
    }
    if (elsewhere)
        out_warn(w->out, "%.1f %% of what ran between branches is not in the program "
                 "itself, and left out", 100 * (double)elsewhere / (double)all);
    return ret;
}
