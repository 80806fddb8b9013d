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

static inline u64
step_load(u64 address)
{
    return *(const volatile u64 *)(uintptr_t)address;
}

/* 1, or 0 with *s unchanged when this rule or these addresses need step_slow(). */
static inline int
step_fast(const struct stepper *t, struct step *s, u64 rule)
{
    u64 at_cfa = 0 - (rule >> 4 & 1);
    u64 by_bp = 0 - (rule >> 1 & 1);
    u64 cfa = ((s->bp & by_bp) | (s->sp & ~by_bp)) + (u64)rule_cfa(rule);
    u64 slot = cfa + (((u64)rule_bp_offset(rule) & at_cfa) | (~at_cfa & (u64)-8));
    u64 ra, saved;

    if (ER_UNLIKELY((rule & 0x2f) - RULE_SP > RULE_BP - RULE_SP))
        return 0;
    if (ER_UNLIKELY(cfa - 8 - t->fast_lo > t->fast_span ||
                    slot - t->fast_lo > t->fast_span || cfa <= s->sp))
        return 0;
    ra = step_load(cfa - 8);
    saved = step_load(slot);
    if (ER_UNLIKELY(ra - 1 >= ((u64)1 << REGS_PC_BITS) - 1))
        return 0;
    s->bp = (saved & at_cfa) | (s->bp & ~at_cfa);
    s->sp = cfa;
    s->pc = ra;
    s->exact = 0;
    return 1;
}

#endif
