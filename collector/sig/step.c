/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/step.h"

#include <errno.h>

#include "collector/sig/announced.h"
#include "collector/sig/cfi.h"
#include "collector/sig/guess.h"
#include "collector/sig/hotspot.h"
#include "collector/sig/hotspot_rule.h"
#include "collector/sig/join.h"
#include "collector/sig/jumped.h"
#include "collector/sig/maderule.h"
#include "collector/sig/objtab.h"

enum {
    MAX_SWITCHES = 64,   /* between stacks in a walk; more are assumed to be a loop */
    MADE_TRIES = 16,     /* failures with made code, before it is read again */
    LEARNT_FRAME = 1 << 14, /* bytes; a larger frame is not learnt */
    HELPER_WORDS = 64,   /* words searched for the frame of a helper's caller */
    MAX_FOLLOWS = 4096,  /* maximum of steps with all registers, 1 us each, in a walk */
};

/* Set the members that step_fast() does not need, unless that was done. */
static inline void
prepare(struct stepper *t)
{
    if (t->prepared)
        return;
    mem_init(&t->m, t->m.lo, t->m.hi);
    t->regs = *t->start;
    t->regs_exact = t->start_exact;
    t->switches = 0;
    t->follows = 0;
    t->prepared = 1;
}

/* Make a RULE_JOIN of the rule that join_call()'s call frame information gives. */
static u64
rule_of_join(u64 rule)
{
    return rule_kind(rule) == RULE_SP ? (rule & ~(u64)15) | RULE_JOIN : rule;
}

u64
step_new_rule(struct stepper *t, const struct step *s)
{
    u32 seen = objtab_now();
    u64 rule = rule_find_old(rule_key(s->pc, s->exact));

    if (rule)
        return rule;
    prepare(t);
    rule = cfi_rule(&t->m, s->pc, s->exact);
    if (s->pc == (u64)(uintptr_t)join_return && !s->exact)
        rule = rule_of_join(rule);
    if (rule_kind(rule) != RULE_NO_CODE)
        rule_put(rule_key(s->pc, s->exact), rule, seen);
    return rule;
}

/* Set the registers after a guess: no others than these are known then. */
static void
set_few_regs(struct stepper *t, u64 pc, u64 sp, u64 bp)
{
    t->regs.pc = pc;
    t->regs.r[REGS_SP] = sp;
    t->regs.r[REGS_BP] = bp;
    t->regs.known = 1 << REGS_SP | 1 << REGS_BP;
    t->regs_exact = 0;
}

/* follow() from a frame of Java's machine, which has no call frame information. */
static int
follow_java(struct stepper *t)
{
    struct hotspot_frame f = { NULL, t->regs_exact, t->regs.pc,
                               t->regs.r[REGS_SP], t->regs.r[REGS_BP], .place = 0 };

    if (hotspot_step(&t->m, &f))
        return -ENOENT;
    set_few_regs(t, f.pc, f.sp, f.bp);
    return 0;
}

/* Unwind t->regs, with all registers, up to the frame *s. 0, -ENOENT. */
static int
follow(struct stepper *t, const struct step *s)
{
    while (t->regs.pc != s->pc || t->regs.r[REGS_SP] != s->sp) {
        if (++t->follows > MAX_FOLLOWS)
            return -ENOENT;
        if (cfi_step(&t->m, &t->regs, &t->regs_exact) && follow_java(t))
            return -ENOENT;
    }
    return 0;
}

/*
 * Set *s to *next, its caller. 0; -ENODATA if the caller's pc is 0, as at a root;
 * -ENOENT if *next cannot be the caller.
 */
static int
arrive(struct stepper *t, struct step *s, const struct step *next)
{
    if (!next->exact && next->pc == 0)
        return -ENODATA;
    if (!next->exact && next->pc >> REGS_PC_BITS)
        return -ENOENT;
    if (next->sp <= s->sp && ++t->switches > MAX_SWITCHES)
        return -ENOENT;
    if (next->sp <= s->sp || next->sp < t->m.lo || next->sp >= t->m.hi)
        step_aim(t, next->sp);
    *s = *next;
    return 0;
}

static int
find_cfa(struct stepper *t, const struct step *s, u64 rule, u64 *cfa)
{
    u64 base;
    u32 kind = rule_kind(rule);

    if (kind == RULE_REG) {
        u32 reg = (u32)rule_extra(rule);

        if (follow(t, s) || !(t->regs.known >> reg & 1))
            return -ENOENT;
        base = t->regs.r[reg];
    } else {
        base = kind == RULE_BP || kind == RULE_BP_LOAD ? s->bp : s->sp;
        if ((kind == RULE_SP_LOAD || kind == RULE_BP_LOAD) &&
            !mem_load(&t->m, base + (u64)(int64_t)rule_extra(rule) * 8, &base))
            return -ENOENT;
    }
    *cfa = base + (u64)rule_cfa(rule);
    return 0;
}

/*
 * Can pc be a return address? If the CFA of *s is from a register that its callee may
 * have changed, pc must follow a call in known code.
 */
static int
is_likely(struct stepper *t, const struct step *s, u64 rule, u64 pc)
{
    struct objtab_object object;
    u64 target;

    if (rule_kind(rule) != RULE_REG || s->exact ||
        (REGS_PRESERVED >> rule_extra(rule) & 1))
        return 1;
    return objtab_find(pc - 1, &object) && guess_after_call(&t->m, pc, &target);
}

static int
step_by_cfa(struct stepper *t, struct step *s, u64 rule)
{
    struct step next = { .bp = s->bp };
    u64 slot;

    if (find_cfa(t, s, rule, &next.sp))
        return -ENOENT;
    if (!mem_load(&t->m, next.sp - 8, &next.pc) || !is_likely(t, s, rule, next.pc))
        return -ENOENT;
    if (rule_bp(rule) != RULE_BP_SAME) {
        slot = rule_bp(rule) == RULE_BP_AT_CFA ? next.sp : s->bp;
        if (!mem_load(&t->m, slot + (u64)rule_bp_offset(rule), &next.bp))
            return -ENOENT;
    }
    return arrive(t, s, &next);
}

u32
step_join(struct stepper *t, const struct step *s)
{
    u64 word;

    prepare(t);
    return mem_load(&t->m, s->sp, &word) ? join_node(word) : 0;
}

/* Set *s to the frame of t->regs, as arrive() does. */
static int
arrive_at_regs(struct stepper *t, struct step *s)
{
    struct step next = {
        .pc = t->regs.pc,
        .sp = t->regs.r[REGS_SP],
        .bp = t->regs.r[REGS_BP],
        .exact = t->regs_exact,
    };

    return arrive(t, s, &next);
}

static int
step_full(struct stepper *t, struct step *s)
{
    int err;

    if (follow(t, s))
        return -ENOENT;
    err = cfi_step(&t->m, &t->regs, &t->regs_exact);
    if (err)
        return err == -ENODATA ? -ENODATA : -ENOENT;
    return arrive_at_regs(t, s);
}

static int
step_signal(struct stepper *t, struct step *s)
{
    struct regs regs = { .known = 0 };

    regs.r[REGS_SP] = s->sp;
    if (cfi_signal_regs(&t->m, &regs))
        return -ENOENT;
    t->regs = regs;
    t->regs_exact = 1;
    return arrive_at_regs(t, s);
}

static int
arrive_by_guess(struct stepper *t, struct step *s, const struct step *next)
{
    set_few_regs(t, next->pc, next->sp, next->bp);
    return arrive(t, s, next);
}

/* All registers of *s, if it was interrupted and they are known; else NULL. */
static const struct regs *
exact_regs(const struct stepper *t, const struct step *s)
{
    /*
     * A frame may be stepped from more than once, so t->regs may be a caller's already.
     */
    const struct regs *regs = t->start->pc == s->pc ? t->start : &t->regs;

    return s->exact && regs->known == REGS_ALL && regs->pc == s->pc &&
                   regs->r[REGS_SP] == s->sp
               ? regs : NULL;
}

static int
guess_by_regs(struct stepper *t, const struct step *s, struct step *next)
{
    const struct regs *regs = exact_regs(t, s);

    if (!regs)
        return -ENOENT;
    if (!guess_aligned_step(&t->m, regs->r[REGS_RBX], &next->pc, &next->sp, &next->bp))
        return 0;
    return guess_aligned_step(&t->m, regs->r[REGS_R15], &next->pc, &next->sp,
                              &next->bp);
}

/*
 * The rule by guess_ahead() for a pc in an object, or 0. It is cached as if it came
 * from call frame information; so is a failure.
 */
static u64
rule_ahead(struct stepper *t, const struct step *s, u64 rule)
{
    u32 seen = objtab_now();
    u64 found, flags = rule & (RULE_OURS | RULE_UNKNOWN);

    if (rule_extra(rule) || objtab_code(s->exact ? s->pc : s->pc - 1) != CODE_OBJECT ||
        guess_is_end(&t->m, s->exact, s->pc, s->sp))
        return 0;
    found = guess_ahead(&t->m, s->exact, s->pc, s->sp, s->bp);
    rule_put(rule_key(s->pc, s->exact),
             found ? found | flags : rule_pack(RULE_NO_CFI, 0, 1, 0, 0) | flags, seen);
    return found;
}

/*
 * Learn (maderule.h) from a frame of code made at run time, if its caller is in an
 * object. rule: 0 = the caller was found by the frame pointer.
 */
static void
learn(const struct step *from, const struct step *to, u64 rule)
{
    u64 distance = to->sp - from->sp;

    if (objtab_code(to->pc - 1) != CODE_OBJECT || distance > LEARNT_FRAME)
        return;
    if (!rule)
        rule = rule_pack(RULE_SP, RULE_BP_AT_CFA, 0, -16, (int)distance);
    if (rule_kind(rule) == RULE_SP)
        maderule_learn(rule, to->pc);
}

/* Was the caller found by the frame pointer? */
static int
by_frame(const struct step *from, const struct step *to)
{
    return to->sp == from->bp + 16;
}

static int
step_learnt(struct stepper *t, struct step *s)
{
    u64 rule = maderule_recall(&t->m, s->sp);

    return rule ? step_by_cfa(t, s, rule) : -ENOENT;
}

/*
 * After so many failed attempts to decode made code at a pc, is it time for another
 * one? It may succeed when more is known of where code is, which is mostly soon.
 */
static int
is_worth_reading(u32 failed)
{
    return failed % MADE_TRIES == 0 || !(failed & (failed - 1));
}

/*
 * Step from code made at run time, by what the code does ahead. The caller's pc must
 * follow a call instruction: although the bytes at pc are the same, they may now belong
 * to other code.
 */
static int
step_made(struct stepper *t, struct step *s)
{
    const struct step from = *s;
    u64 key = maderule_key(&t->m, s->pc, s->exact);
    u64 rule = key ? maderule_find(key) : 0, target;
    u32 failed = 0;

    if (!key)
        return -ENOENT;
    if (rule_kind(rule) == RULE_NO_CFI)
        failed = (u32)rule_cfa(rule);
    if (!is_worth_reading(failed)) {
        maderule_put(key, rule_pack(RULE_NO_CFI, 0, 1, 0, (int)failed + 1));
        return -ENOENT;
    }
    if (!rule || rule_kind(rule) == RULE_NO_CFI) {
        rule = guess_ahead(&t->m, s->exact, s->pc, s->sp, s->bp);
        if (!rule)
            rule = jumped_rule(&t->m, s->sp);
        if (!rule)
            rule = rule_pack(RULE_NO_CFI, 0, 1, 0, (int)failed + 1);
        maderule_put(key, rule);
    }
    if (rule_kind(rule) == RULE_NO_CFI || step_by_cfa(t, s, rule))
        return -ENOENT;
    if (objtab_code(s->pc - 1) != CODE_NONE &&
        guess_after_call(&t->m, s->pc, &target)) {
        learn(&from, s, rule);
        return 0;
    }
    *s = from;
    return -ENOENT;
}

static int
step_guess(struct stepper *t, struct step *s, u64 rule)
{
    struct step next = *s;
    u64 found = rule_ahead(t, s, rule);
    int is_made = objtab_code(s->exact ? s->pc : s->pc - 1) == CODE_MADE, err;

    if (found && !step_by_cfa(t, s, found))
        return 0;
    err = guess_by_regs(t, s, &next);
    if (err && is_made)
        err = guess_rpython_step(&t->m, 1, &next.pc, &next.sp, &next.bp);
    if (err)
        err = guess_step(&t->m, s->exact, &next.pc, &next.sp, &next.bp);
    if (err == -ENOENT && is_made) {
        if (!step_made(t, s))
            return 0;
        next = *s;
        err = guess_rpython_step(&t->m, HELPER_WORDS, &next.pc, &next.sp, &next.bp);
    }
    if (err == -ENOENT && is_made)
        return step_learnt(t, s);
    if (err)
        return err;
    if (is_made && by_frame(s, &next))
        learn(s, &next, 0);
    next.exact = 0;
    return arrive_by_guess(t, s, &next);
}

/*
 * The rule from the CFI that the program has announced for its code, 0 = none. The
 * number of the announced section is part of the key: other code that comes to the same
 * address has another number.
 */
static u64
announced_rule(struct stepper *t, const struct step *s)
{
    u64 number = announced_number(s->exact ? s->pc : s->pc - 1), key, rule;

    if (!number)
        return 0;
    key = rule_key(s->pc, s->exact) ^ number * RULE_MIX;
    rule = maderule_find(key);
    if (!rule) {
        rule = cfi_announced_rule(&t->m, s->pc, s->exact);
        maderule_put(key, rule);
    }
    return rule_kind(rule) == RULE_NO_CFI || rule_kind(rule) == RULE_NO_CODE ? 0 : rule;
}

/* Step from a frame for which no object has call frame information. */
static int
step_without(struct stepper *t, struct step *s, u64 rule)
{
    const struct step from = *s;
    u64 announced = announced_rule(t, s);
    int err = announced ? step_slow(t, s, announced) : -ENOENT;

    if (err != -ENOENT)
        return err;
    *s = from;
    return step_guess(t, s, rule);
}

/*
 * Step from a frame of HotSpot by the machine's structures, or else by a look at code
 * and stack.
 */
static int
step_hotspot(struct stepper *t, struct step *s)
{
    struct hotspot_frame f = { exact_regs(t, s), s->exact, s->pc, s->sp, s->bp,
                               .place = 0 };
    u32 seen = hotspot_rule_now();
    int err = hotspot_step(&t->m, &f);
    struct step next = { f.pc, f.sp, f.bp, 0 };

    t->place = f.place;
    if (err) {
        next = *s;
        err = guess_step(&t->m, s->exact, &next.pc, &next.sp, &next.bp);
        next.exact = 0;
    } else {
        hotspot_rule_keep(s->pc, &f, seen);
    }
    return err ? err : arrive_by_guess(t, s, &next);
}

static int
step_landing(struct stepper *t, struct step *s)
{
    struct step next = *s;

    if (guess_landing_step(&t->m, &next.pc, &next.sp, &next.bp))
        return -ENOENT;
    next.exact = 0;
    return arrive_by_guess(t, s, &next);
}

int
step_slow(struct stepper *t, struct step *s, u64 rule)
{
    prepare(t);
    switch (rule_kind(rule)) {
    case RULE_SP:
    case RULE_BP:
    case RULE_SP_LOAD:
    case RULE_BP_LOAD:
    case RULE_REG:
    case RULE_JOIN:
        return step_by_cfa(t, s, rule);
    case RULE_SIGNAL:
        return step_signal(t, s);
    case RULE_FULL:
        return step_full(t, s);
    case RULE_NO_CFI:
        return step_without(t, s, rule);
    case RULE_LANDING:
        return step_landing(t, s);
    case RULE_HOTSPOT:
        return step_hotspot(t, s);
    case RULE_ROOT:
        return -ENODATA;
    default:
        return -ENOENT;
    }
}
