/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step of a walk, from a frame to its caller. Runs in signal handlers. Most frames
 * take step_fast(): two loads inside the thread's stack.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_STEP_H
#define ERTOOLS_COLLECTOR_SIG_STEP_H

#include "collector/sig/mem.h"
#include "collector/sig/regs.h"
#include "collector/sig/rule.h"
#include "share/types.h"

/* A frame. */
struct step {
    u64 pc;
    u64 sp;
    u64 bp;
    u32 exact; /* pc is the next instruction to run, not a return address */
};

struct stepper {
    struct mem m;
    u64 fast_hi; /* argument hi of step_fast() */
    u64 lo; /* [lo, hi): the thread's stack */
    u64 hi;
    const struct regs *start; /* where the walk began */
    u32 start_exact;
    u32 prepared; /* 1 = the next four members are set, and the pages in m */
    struct regs regs; /* all registers of some frame at or inside the present one */
    u32 regs_exact;
    u32 switches; /* steps to a lower sp: to another stack */
    u32 follows;  /* steps made with all registers */
    u64 place;    /* hotspot_frame.place of the last frame */
};

/* Set the bounds of plain loads for frames at and above sp. */
static inline void
step_aim(struct stepper *t, u64 sp)
{
    int inside = sp >= t->lo && sp < t->hi && t->hi - sp >= 8;

    t->m.lo = inside ? sp : 0;
    t->m.hi = inside ? t->hi : 0;
    t->fast_hi = t->m.hi;
}

/*
 * Begin at a frame with these registers, of which at least pc, sp and bp are known. The
 * stepper keeps the pointer regs.
 */
static inline void
stepper_init(struct stepper *t, u64 lo, u64 hi, const struct regs *regs, u32 exact)
{
    t->lo = lo;
    t->hi = hi;
    t->start = regs;
    t->start_exact = exact;
    t->prepared = 0;
    t->place = 0;
    step_aim(t, regs->r[REGS_SP]);
}

/*
 * Step from *s to its caller, by a rule of any kind. 0; -ENODATA when *s is the stack's
 * root; -ENOENT when the caller cannot be found. *s is unchanged unless 0.
 */
int step_slow(struct stepper *t, struct step *s, u64 rule);

/* The node to which a frame with RULE_JOIN is to be joined, 0 = none. */
u32 step_join(struct stepper *t, const struct step *s);

/*
 * Find the rule for *s, which rule_get() has missed, and cache it unless its kind is
 * RULE_NO_CODE.
 */
u64 step_new_rule(struct stepper *t, const struct step *s);

static inline u64
step_rule(struct stepper *t, const struct step *s)
{
    u64 rule = rule_get(rule_key(s->pc, s->exact));

    return ER_LIKELY(rule) ? rule : step_new_rule(t, s);
}

static inline u64
step_load(u64 address)
{
    return *(const volatile u64 *)(uintptr_t)address;
}

/*
 * A rule is fast if its kind is RULE_SP or RULE_BP, bp is unchanged or saved at an
 * offset from the CFA, and it has neither RULE_OURS nor RULE_UNKNOWN. STEP_BY_BP and
 * STEP_BP_AT_CFA say which kind, and where bp is.
 */
enum {
    STEP_FAST_MASK = 0xed,
    STEP_FAST = 1,
    STEP_BY_BP = 2,
    STEP_BP_AT_CFA = 1 << 4,
};

/*
 * Offset from the CFA of the bp that a fast rule restores; of the return address if bp
 * is not saved.
 */
static inline u64
step_slot(u32 rule)
{
    return (u64)((int64_t)((int32_t)rule >> 20) * 8 - 8);
}

/*
 * Step by a fast rule. hi: the end of the stack that *sp is on, or 0 if that stack
 * cannot be read. 1 with the caller's state in *pc, *sp and *bp; 0 with nothing changed
 * when the rule or the addresses need step_slow(). The code has no other branch that
 * depends on the rule.
 */
static inline __attribute__((always_inline)) int
step_fast(u64 hi, u64 rule, u64 *pc, u64 *sp, u64 *bp)
{
    u64 at_cfa = 0 - (rule >> 4 & 1);
    u64 cfa = (ER_UNLIKELY(rule & STEP_BY_BP) ? *bp : *sp) + (u64)rule_cfa(rule);
    u64 size = cfa - 8 - *sp;
    u64 slot = cfa + step_slot((u32)rule);
    u64 ra, saved;

    if (ER_UNLIKELY((rule & STEP_FAST_MASK) != STEP_FAST))
        return 0;
    if (ER_UNLIKELY((int64_t)size < 0 || slot - *sp > size || cfa > hi))
        return 0;
    ra = step_load(cfa - 8);
    saved = step_load(slot);
    if (ER_UNLIKELY((ra - 1) >> REGS_PC_BITS))
        return 0;
    *bp ^= (saved ^ *bp) & at_cfa;
    *sp = cfa;
    *pc = ra;
    return 1;
}

#endif
