/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/node.h"
#include "collector/sig/loaded.h"
#include "collector/sig/objtab.h"
#include "collector/sig/rule.h"
#include "collector/sig/walk.h"

/*
 * Stacks made by hand: code is a range of numbers, its rules are put into the cache, so
 * that no call frame information is looked for.
 */
enum {
    CODE = 0x10000,
    ROOT = CODE + 0x8000,
    WORDS = 1 << 18,
    FRAMES = 256,
};

static u64 *stack;
static u64 next;
static struct walk *walk;

static void
set_up(void)
{
    struct objtab_object code = { .lo = CODE, .hi = CODE + 0x10000, .instance = 7 };

    stack = mmap(NULL, WORDS * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
    node_start(&next);
    for (u32 i = 0; i < 16; i++)
        node_attach(i, mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    loaded_add(&code);
    rule_mask = (RULE_SETS - 1) * RULE_SET_BYTES; /* nothing pushes a rule out */
    for (u64 pc = CODE; pc < CODE + 0x1000; pc++) {
        for (u32 exact = 0; exact < 2; exact++)
            rule_put(rule_key(pc, exact), rule_pack(RULE_SP, RULE_BP_SAME, 0, 0, 16),
                     objtab_now());
    }
    rule_put(rule_key(ROOT, 0), RULE_ROOT, objtab_now());
    walk = walk_init(calloc(1, walk_bytes(FRAMES)), FRAMES, (u64)(uintptr_t)stack,
                     (u64)(uintptr_t)(stack + WORDS));
}

TestSuite(walk, .init = set_up);

/* n frames of 16 bytes below the root; returns the leaf's sp. The leaf is at pcs[0]. */
static u64 *
build(const u64 *pcs, u32 n)
{
    u64 *sp = stack + WORDS - 64 - 2 * n;

    for (u32 i = 1; i <= n; i++)
        sp[2 * i - 1] = i < n ? pcs[i] : ROOT;
    return sp;
}

static u32
walk_at(u64 pc, const u64 *sp)
{
    ucontext_t uc;

    memset(&uc, 0, sizeof(uc));
    uc.uc_mcontext.gregs[REG_RIP] = (long long)pc;
    uc.uc_mcontext.gregs[REG_RSP] = (long long)(uintptr_t)sp;
    return sig_walk(walk, &uc);
}

/* The stack of node id is pcs and the root. */
static int
is_stack_with(u32 id, const u64 *pcs, u32 n, u32 leaf_flags)
{
    for (u32 i = 0; i < n; i++) {
        const struct node *node = node_at(id);
        u64 key = node_key(pcs[i], i == 0 ? leaf_flags : 0);

        if (id == 0 || node->pc_flags != key || node->instance != 7)
            return 0;
        id = node->parent;
    }
    return id && node_at(id)->pc_flags == ROOT && node_at(id)->parent == 0;
}

static int
is_stack(u32 id, const u64 *pcs, u32 n)
{
    return is_stack_with(id, pcs, n, NODE_EXACT);
}

Test(walk, again_is_the_same_node)
{
    u64 pcs[40];
    u32 id;

    for (u64 i = 0; i < 40; i++)
        pcs[i] = CODE + 16 + i;
    id = walk_at(pcs[0], build(pcs, 40));
    cr_assert(is_stack(id, pcs, 40));
    cr_assert_eq(walk_info(walk)->depth, 41u);
    cr_assert_eq(walk_info(walk)->reused, 0u);
    cr_assert_eq(walk_at(pcs[0], build(pcs, 40)), id);
    cr_assert_eq(walk_info(walk)->reused, 41u);
    cr_assert_eq(walk_info(walk)->end, (u32)WALK_ROOT);
}

/* Any frame may change under frames that stay: the walk must see it. */
Test(walk, a_change_anywhere_is_seen)
{
    u64 pcs[60];
    u32 seed = 1;

    for (u64 i = 0; i < 60; i++)
        pcs[i] = CODE + 16 + i;
    for (int turn = 0; turn < 20000; turn++) {
        u32 n = 5 + (u32)turn % 50;

        seed = seed * 1664525 + 1013904223;
        pcs[seed >> 16 & 31] = CODE + 1 + (seed >> 8) % 64;
        pcs[(seed >> 24) % n] = CODE + 1 + (seed >> 5) % 64;
        cr_assert(is_stack(walk_at(pcs[0], build(pcs, n)), pcs, n), "turn %d", turn);
    }
    cr_assert_eq(walk_info(walk)->truncated, 0u);
}

/* Frames of all shapes. A frame's pc says which one it has: KINDS of them in turn. */
enum {
    MIXED = CODE + 0x4000,
    KINDS = 7,
    DEEP = 48,
};

static u64
mixed_rule(u64 kind)
{
    switch (kind) {
    case 0:
    case 1: /* bp is the caller's */
        return rule_pack(RULE_SP, RULE_BP_SAME, 0, 0, kind ? 48 : 16);
    case 2:
    case 3: /* bp is saved, and in use for something else */
        return rule_pack(RULE_SP, RULE_BP_AT_CFA, 0, kind == 2 ? -16 : -32, 48);
    case 4: /* a frame pointer */
        return rule_pack(RULE_BP, RULE_BP_AT_CFA, 0, -16, 16);
    case 5: /* a realigned frame, as gcc makes it: not plain */
        return rule_pack(RULE_BP_LOAD, RULE_BP_AT_BP, -1, 0, 0);
    default: /* the collector's own */
        return rule_pack(RULE_SP, RULE_BP_SAME, 0, 0, 32) | RULE_OURS;
    }
}

struct mixed {
    u64 pc;
    u64 junk;
};

static u32 seed = 1;

static u32
random_below(u32 n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 12) % n;
}

static void
mixed_change(struct mixed *m)
{
    m->pc = MIXED + 1 + random_below(64 * KINDS);
    m->junk = random_below(1000);
}

/* Lay the frames, outermost first; *start: the innermost. */
static void
mixed_build(const struct mixed *frames, u32 n, struct walk_start *start)
{
    u64 *sp = stack + WORDS - 64, bp = 0, pc = ROOT;

    for (u32 i = 0; i < n; i++) {
        u64 *cfa = sp, kind = (frames[i].pc - 1 - MIXED) % KINDS;

        cfa[-1] = pc;
        pc = frames[i].pc;
        sp = cfa - (kind == 0 ? 2 : kind == 6 ? 4 : 6);
        if (kind == 2 || kind == 3) {
            cfa[kind == 2 ? -2 : -4] = bp;
            bp = frames[i].junk;
        } else if (kind == 4 || kind == 5) {
            u64 *fp = cfa - (kind == 4 ? 2 : 4);

            fp[0] = bp;
            fp[-1] = (u64)(uintptr_t)cfa;
            bp = (u64)(uintptr_t)fp;
            sp = fp - 2 - 2 * (frames[i].junk % 8);
        }
    }
    start->pc = pc;
    start->sp = (u64)(uintptr_t)sp;
    start->bp = bp;
    memset(&start->here, 0, sizeof(start->here));
    start->here.pc = pc;
    start->here.r[REGS_SP] = start->sp;
    start->here.r[REGS_BP] = bp;
}

static u32
mixed_pcs(const struct mixed *frames, u32 n, u64 *pcs)
{
    u32 shown = 0;

    for (u32 i = n; i-- > 0;)
        if ((frames[i].pc - 1 - MIXED) % KINDS != 6)
            pcs[shown++] = frames[i].pc;
    return shown;
}

/* What proves a caller must do so whatever else changes, bp in use for anything. */
Test(walk, frames_of_all_shapes_change, .timeout = 60)
{
    struct mixed frames[DEEP];
    u64 pcs[DEEP], reused = 0;

    for (u64 i = 0; i < 64 * KINDS; i++)
        rule_put(rule_key(MIXED + 1 + i, 0), mixed_rule(i % KINDS), objtab_now());
    for (u32 i = 0; i < DEEP; i++)
        mixed_change(&frames[i]);
    for (int turn = 0; turn < 40000; turn++) {
        u32 n = DEEP - random_below(12), at = random_below(DEEP);
        u32 end = random_below(3) ? DEEP : at + 1, shown, node;
        struct walk_start start;

        if (random_below(4))
            for (u32 i = at; i < end; i++)
                mixed_change(&frames[i]);
        else
            frames[at].junk = random_below(1000);
        frames[n - 1].pc = MIXED + 1 + random_below(10) * KINDS + 2;
        mixed_build(frames, n, &start);
        shown = mixed_pcs(frames, n, pcs);
        node = sig_walk_from(walk, &start);
        cr_assert(is_stack_with(node, pcs, shown, 0), "turn %d", turn);
        reused += walk_info(walk)->reused;
    }
    cr_assert_eq(walk_info(walk)->truncated, 0u);
    cr_assert_gt(reused, 100000u);
}

Test(walk, garbage_ends_it_honestly)
{
    u64 pcs[10];
    u64 *sp;
    u32 id, n = 0;

    for (u64 i = 0; i < 10; i++)
        pcs[i] = CODE + 16 + i;
    sp = build(pcs, 10);
    sp[9] = 0x123456789; /* where the fifth return address was */
    id = walk_at(pcs[0], sp);
    cr_assert_eq(walk_info(walk)->end, (u32)WALK_TRUNCATED);
    for (; node_at(id)->parent; id = node_at(id)->parent)
        n++;
    cr_assert_eq(n, 5u, "the good frames are kept");
    cr_assert_eq(node_at(id)->pc_flags, node_key(0, NODE_TRUNCATED));
}

/* The leaf's half and the root's are kept, with a mark between. */
Test(walk, a_deep_stack_keeps_both_ends)
{
    u32 n = 5000, depth = 0, marks = 0, id;
    u64 *pcs = calloc(n, sizeof(u64));

    for (u64 i = 0; i < n; i++)
        pcs[i] = CODE + 1 + i % 64;
    for (int turn = 0; turn < 2; turn++) {
        id = walk_at(pcs[0], build(pcs, n));
        cr_assert_neq(id, 0u);
        cr_assert_eq(walk_info(walk)->depth, n + 1);
        cr_assert_eq(walk_info(walk)->omitted, n + 1 - FRAMES);
    }
    for (u64 last = 0; id; id = node_at(id)->parent, depth++) {
        u64 key = node_at(id)->pc_flags;

        marks += key == node_key(0, NODE_OMITTED);
        last = key;
        if (!node_at(id)->parent)
            cr_assert_eq(last, (u64)ROOT);
    }
    cr_assert_eq(marks, 1u);
    cr_assert_eq(depth, (u32)FRAMES + 1);
}

/* A stack that leads back to itself ends. */
Test(walk, a_loop_ends, .timeout = 20)
{
    u64 *sp = stack + WORDS / 2;

    for (u64 pc = CODE + 0x1000; pc < CODE + 0x1100; pc++)
        rule_put(rule_key(pc, 0), rule_pack(RULE_BP_LOAD, RULE_BP_SAME, 0, 0, 0),
                 objtab_now());
    sp[1] = CODE + 0x1001;
    sp[9] = CODE + 0x1001;
    sp[20] = (u64)(uintptr_t)(sp + 10);
    for (int i = 0; i < 3; i++) {
        ucontext_t uc;

        memset(&uc, 0, sizeof(uc));
        uc.uc_mcontext.gregs[REG_RIP] = CODE + 16;
        uc.uc_mcontext.gregs[REG_RSP] = (long long)(uintptr_t)sp;
        uc.uc_mcontext.gregs[REG_RBP] = (long long)(uintptr_t)(sp + 20);
        cr_assert_neq(sig_walk(walk, &uc), 0u);
        cr_assert_eq(walk_info(walk)->end, (u32)WALK_TRUNCATED);
    }
}

Test(walk, another_object_at_the_place_voids_what_was_kept)
{
    struct objtab_object other = { .lo = CODE, .hi = CODE + 0x10000, .instance = 8 };
    u64 pcs[10];
    u32 id;

    for (u64 i = 0; i < 10; i++)
        pcs[i] = CODE + 16 + i;
    id = walk_at(pcs[0], build(pcs, 10));
    cr_assert(is_stack(id, pcs, 10));
    cr_assert_eq(loaded_add(&other), 0);
    id = walk_at(pcs[0], build(pcs, 10));
    cr_assert_eq(walk_info(walk)->reused, 0u);
    cr_assert_eq(node_at(id)->instance, 8u);
}

Test(walk, without_room_for_nodes_it_is_dropped)
{
    u64 pcs[2] = { CODE + 16, CODE + 17 };

    node_start(&next);
    cr_assert_eq(walk_at(pcs[0], build(pcs, 2)), 0u);
    cr_assert_eq(walk_info(walk)->dropped, 1u);
    cr_assert_eq(walk_at(pcs[0], build(pcs, 2)), 0u);
}
