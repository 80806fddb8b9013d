/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One step of a walk, from a frame to its caller. Signal handlers. Most frames take
 * step_fast(): two loads inside the thread's stack.
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
    u64 fast_lo;   /* an 8-byte load at x is plain if x - fast_lo <= fast_span */
    u64 fast_span;
    u64 lo; /* [lo, hi): the thread's stack */
    u64 hi;
    struct regs regs; /* all registers of some frame at or inside the present one */
    u32 regs_exact;
    u32 switches; /* steps that went down */
    u32 follows;  /* steps made with all registers */
};

/* Begin at a frame whose registers are regs; pc, sp and bp at least are known. */
void stepper_init(struct stepper *t, u64 lo, u64 hi, const struct regs *regs,
                  u32 exact);

/*
 * From *s to its caller, by a rule of any kind. 0; -ENODATA when *s is the stack's
 * root; -ENOENT when the caller cannot be found. *s is unchanged unless 0.
 */
int step_slow(struct stepper *t, struct step *s, u64 rule);

/* Find the rule for *s that is not cached, and cache it. */
u64 step_new_rule(struct stepper *t, const struct step *s);

static inline u64
step_rule(struct stepper *t, const struct step *s)
{
    u64 rule = rule_get(rule_key(s->pc, s->exact));

    return ER_LIKELY(rule) ? rule : step_new_rule(t, s);
}

/* Kind, bp beyond RULE_BP_AT_CFA, ours, unknown: only RULE_SP and RULE_BP are fast. */
enum { STEP_FAST_MASK = 0xef };

/* Where a fast rule's bp is, from the CFA; the return address where it is not saved. */
static inline int64_t
step_slot(u64 rule)
{
    int64_t at_cfa = -(int64_t)(rule >> 4 & 1);

    return (rule_bp_offset(rule) & at_cfa) | (~at_cfa & -8);
}

static inline u64
step_load(u64 address)
{
    return *(const volatile u64 *)(uintptr_t)address;
}

/*
 * 1 with the caller's state in *pc, *sp and *bp; 0 with nothing changed when this rule
 * or these addresses need step_slow(). No branch depends on the rule but this choice.
 */
static inline __attribute__((always_inline)) int
step_fast(const struct stepper *t, u64 rule, u64 *pc, u64 *sp, u64 *bp)
{
    u64 at_cfa = 0 - (rule >> 4 & 1);
    u64 cfa = (ER_UNLIKELY(rule & 2) ? *bp : *sp) + (u64)rule_cfa(rule);
    u64 slot = cfa + (u64)step_slot(rule);
    u64 ra, saved;

    if (ER_UNLIKELY((rule & STEP_FAST_MASK) - RULE_SP > RULE_BP - RULE_SP))
        return 0;
    if (ER_UNLIKELY(cfa - 8 - t->fast_lo > t->fast_span ||
                    slot - t->fast_lo > t->fast_span || cfa <= *sp))
        return 0;
    ra = step_load(cfa - 8);
    saved = step_load(slot);
    if (ER_UNLIKELY(ra - 1 >= ((u64)1 << REGS_PC_BITS) - 1))
        return 0;
    *bp = (saved & at_cfa) | (*bp & ~at_cfa);
    *sp = cfa;
    *pc = ra;
    return 1;
}

#endif
