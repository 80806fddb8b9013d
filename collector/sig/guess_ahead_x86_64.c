/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "collector/sig/guess.h"
#include "collector/sig/insn.h"
#include "collector/sig/objtab.h"
#include "collector/sig/regs.h"
#include "collector/sig/rule.h"

enum {
    MAX_STEPS = 2000, /* maximum of instructions read on all paths from one place */
    ALL_STEPS = 16000, /* instructions after which no further place is tried */
    MAX_WAYS = 32,    /* branches not yet taken */
    MAX_BEEN = 64,    /* jump targets that were visited */
    WORD = 8,
    VOTES = 4, /* different rules that are counted */
    ENOUGH = 3, /* paths with the same rule decide */
    R10 = 10, /* holds sp from before gcc realigned a stack */
    FAR = 1 << 20, /* bytes; larger frames are not believed */
    REACH = 1 << 16, /* assume that no function begins more bytes before pc */
    NEAR = 1 << 12, /* bytes before pc that are searched for a function's beginning */
    ALIGNED = 16,
};

/*
 * A path through the code, and what it has done to sp and bp. It begins at the frame's
 * pc with sp and bp as they are, or at the function's beginning.
 */
struct way {
    u64 pc;
    int32_t sp; /* sp, as an offset from the first sp, or (by_bp) from bp */
    int32_t slot; /* where bp was popped from, or pushed to: an offset like sp */
    int32_t bp;   /* with has_bp: bp is this far from the first sp */
    int32_t load; /* r10 was loaded from here, counted from bp if load_by_bp */
    uint8_t by_bp;     /* sp is counted from bp */
    uint8_t lost;      /* sp is not known */
    uint8_t popped;    /* bp was popped (or pushed): slot is set */
    uint8_t slot_by_bp; /* slot is counted from bp */
    uint8_t has_bp; /* bp was set from sp */
    uint8_t bp_lost; /* bp was set while sp was not known */
    uint8_t by_load; /* sp was set from r10, as loaded (has_load) */
    uint8_t has_load;
    uint8_t load_by_bp;
    uint8_t entry;  /* endbr64 does not end the path: something jumped here */
};

struct search {
    struct mem *m;
    u64 sp;
    u64 bp;
    u32 steps;
    u32 limit; /* steps at which a search ends */
    u32 ways; /* paths in way[] */
    u32 seen; /* places in been[] */
    struct way way[MAX_WAYS];
    u32 been[MAX_BEEN];
    u64 until; /* the pc, if paths begin at a function's beginning; else 0 */
    u64 from;  /* with until: the function's beginning */
    u64 slot;  /* where the function's return address is, 0 = not known */
    u32 beyond; /* follow paths past indirect jumps, as if sp were the same there */
    u64 rule;
    u64 weak; /* a rule that is less certain, 0 = none */
    struct vote {
        u64 rule;
        u32 count; /* paths that ended with it */
    } votes[VOTES];
};

static int
is_new(struct search *s, u64 pc)
{
    for (u32 i = 0; i < s->seen; i++)
        if (s->been[i] == (u32)pc)
            return 0;
    if (s->seen == MAX_BEEN)
        return 0;
    s->been[s->seen++] = (u32)pc;
    return 1;
}

/*
 * 1 if bp was popped from a word that this path has pushed: bp is still the caller's.
 */
static int
pushed_itself(const struct way *w)
{
    return !w->slot_by_bp && w->slot < 0;
}

/* The rule for a frame whose return address is at w->sp, or 0. */
static u64
rule_of(const struct way *w)
{
    int64_t cfa = w->sp + WORD;
    u32 kind = w->by_bp ? RULE_BP : RULE_SP;
    int64_t slot = w->slot - cfa;

    if (cfa < WORD || cfa > FAR || (w->popped && w->slot_by_bp != w->by_bp))
        return 0;
    if (!w->popped || pushed_itself(w))
        return w->by_bp ? 0 : rule_pack(kind, RULE_BP_SAME, 0, 0, (int)cfa);
    if (slot > -2 * WORD || slot < -2048 * WORD)
        return 0;
    return rule_pack(kind, RULE_BP_AT_CFA, 0, (int)slot, (int)cfa);
}

/*
 * 1 if the word at `at` looks like a return address: it follows a call, or was made for
 * a signal handler or for the beginning of a stack.
 */
static int
is_return_address(struct search *s, u64 at)
{
    u64 ra;

    if ((at & 7) || at < s->sp || at - s->sp > FAR || !mem_load(s->m, at, &ra) ||
        ra >> REGS_PC_BITS || !ra || objtab_code(ra - 1) == CODE_NONE)
        return 0;
    return guess_after_call(s->m, ra, NULL) || guess_is_sigreturn(s->m, ra) ||
           guess_is_context_start(s->m, ra) || guess_is_end(s->m, 0, ra, 0);
}

/*
 * arrive() for a function in which gcc has realigned the stack: the CFA is stored in a
 * word below the one to which bp points.
 */
static int
arrive_realigned(struct search *s, const struct way *w)
{
    u64 slot = (w->slot_by_bp ? s->bp : s->sp) + (u64)w->slot, cfa;
    int64_t load = (int64_t)((w->load_by_bp ? s->bp : s->sp) + (u64)w->load - s->bp);

    if (!w->popped || slot != s->bp || (load & 7) || load > 0 || load < -2048 * WORD ||
        !mem_load(s->m, s->bp + (u64)load, &cfa) || !is_return_address(s, cfa - WORD))
        return 0;
    s->rule = rule_pack(RULE_BP_LOAD, RULE_BP_AT_BP, (int)(load / WORD), 0, 0);
    return 1;
}

/*
 * The path ends at a return from the function. 1, with s->rule set, if the word at the
 * path's stack pointer is a return address.
 */
static int
arrive(struct search *s, const struct way *w)
{
    u64 at = (w->by_bp ? s->bp : s->sp) + (u64)w->sp;

    if (w->by_load && !w->has_bp)
        return arrive_realigned(s, w);
    if (w->lost || !is_return_address(s, at))
        return 0;
    s->rule = rule_of(w);
    return s->rule != 0;
}

/*
 * 1 if the word at `at` may be the return address of a call of the function at `start`.
 * If the call instruction before it has a known target, that must be `start`.
 */
static int
is_call_of(struct search *s, u64 at, u64 start)
{
    u64 ra, target;

    if (s->slot)
        return at == s->slot;
    if (!is_return_address(s, at) || !mem_load(s->m, at, &ra))
        return 0;
    return !guess_after_call(s->m, ra, &target) || !target || target == start;
}

/*
 * A path from the function's beginning has reached pc. 1, with s->rule set, if a return
 * address lies where the path's stack pointer says that it is.
 */
static int
check_path(struct search *s, const struct way *w)
{
    int64_t cfa = WORD - (w->lost ? w->bp : w->sp), slot = w->slot - WORD;
    u64 base = w->lost ? s->bp : s->sp;
    u32 kind = w->lost ? RULE_BP : RULE_SP;

    if ((w->lost && !w->has_bp) || cfa > FAR || cfa < WORD ||
        !is_call_of(s, base + (u64)cfa - WORD, s->from))
        return 0;
    if (!w->popped)
        s->rule = rule_pack(kind, RULE_BP_SAME, 0, 0, (int)cfa);
    else if (slot >= -2048 * WORD && slot <= -2 * WORD)
        s->rule = rule_pack(kind, RULE_BP_AT_CFA, 0, (int)slot, (int)cfa);
    return s->rule != 0;
}

static void
move_sp(struct way *w, int64_t by)
{
    int64_t sp = w->sp + by;

    if (sp < -FAR || sp > FAR)
        w->lost = 1;
    else
        w->sp = (int32_t)sp;
}

static void
sp_from_bp(struct way *w, int64_t offset, int behind)
{
    if (w->bp_lost || (w->popped && !behind)) {
        w->lost = 1;
        return;
    }
    w->lost = 0;
    w->by_bp = !w->has_bp;
    w->sp = w->has_bp ? w->bp : 0;
    move_sp(w, offset);
}

/*
 * Apply a pop of bp. behind: the path began at the function's beginning, so the word
 * that it pops is one that it has pushed.
 */
static void
pop_bp(struct way *w, int behind)
{
    if (behind) {
        w->popped = w->has_bp = 0;
    } else if (!w->lost) {
        w->popped = 1;
        w->slot = w->sp;
        w->slot_by_bp = w->by_bp;
    }
    move_sp(w, WORD);
}

static void
push_bp(struct way *w, int behind)
{
    move_sp(w, -WORD);
    if (behind && !w->popped && !w->has_bp && !w->lost) {
        w->popped = 1;
        w->slot = w->sp;
    }
}

static void
load(struct way *w, int32_t from, int by_bp, int known)
{
    w->has_load = known != 0;
    w->load_by_bp = by_bp != 0;
    w->load = from;
}

/* Apply an instruction after which the path continues. */
static void
apply(struct way *w, const struct insn *insn, int behind)
{
    switch (insn->kind) {
    case INSN_ADD_SP:
        move_sp(w, insn->value);
        break;
    case INSN_PUSH_BP:
        push_bp(w, behind);
        break;
    case INSN_POP_BP:
        pop_bp(w, behind);
        break;
    case INSN_LOSE_SP:
        w->lost = 1;
        break;
    case INSN_SP_TO_BP:
        w->has_bp = !w->by_bp && !w->lost;
        w->bp_lost = !w->has_bp;
        w->bp = w->sp;
        break;
    case INSN_BP_TO_SP:
        sp_from_bp(w, insn->value, behind);
        break;
    case INSN_LEAVE:
        sp_from_bp(w, 0, behind);
        pop_bp(w, behind);
        break;
    case INSN_POP:
        if (insn->reg == R10)
            load(w, w->sp, w->by_bp, !w->lost);
        move_sp(w, WORD);
        break;
    case INSN_LOAD:
        if (insn->reg == R10)
            load(w, (int32_t)insn->value, 1, !w->popped && !w->bp_lost && !w->has_bp);
        break;
    case INSN_REG_TO_SP:
        w->lost = 1;
        w->by_load = w->has_load && insn->reg == R10 && insn->value == -WORD;
        break;
    default:
        break;
    }
}

static void
keep(struct search *s, const struct way *w, u64 target)
{
    if (s->ways == MAX_WAYS)
        return;
    s->way[s->ways] = *w;
    s->way[s->ways].pc = target;
    s->way[s->ways++].entry = 1;
}

/* Count s->rule; 1 if enough paths have ended with it. */
static int
vote(struct search *s)
{
    for (u32 i = 0; i < VOTES; i++)
        if (!s->votes[i].count || s->votes[i].rule == s->rule) {
            s->votes[i].rule = s->rule;
            return ++s->votes[i].count == ENOUGH;
        }
    return 0;
}

/* The rule with which most paths have ended; of equal ones the first. */
static u64
elected(const struct search *s)
{
    const struct vote *best = s->votes;

    for (u32 i = 1; i < VOTES; i++)
        if (s->votes[i].count > best->count)
            best = &s->votes[i];
    return best->rule;
}

/* 1 if padding between functions begins at p. */
static int
is_padding(const unsigned char *p)
{
    static const unsigned char nops[][3] = { { 0x0f, 0x1f }, { 0x66, 0x2e, 0x0f },
                                             { 0x66, 0x66, 0x2e }, { 0x66, 0x0f, 0x1f },
                                             { 0xcc, 0xcc } };

    for (u32 i = 0; i < ER_COUNT(nops); i++)
        if (p[0] == nops[i][0] && p[1] == nops[i][1] &&
            (!nops[i][2] || p[2] == nops[i][2]))
            return 1;
    return 0;
}

/* Follow a path to its end. 1 = the rule is decided. */
static int
follow(struct search *s, struct way *w)
{
    while (s->steps++ < s->limit) {
        const unsigned char *p = (const unsigned char *)(uintptr_t)w->pc;
        struct insn insn;
        uint8_t entry = w->entry;

        if (s->until && w->pc == s->until && check_path(s, w))
            return 1;
        if (!mem_ok(s->m, w->pc, 2 * INSN_BYTES))
            return 0;
        insn_read(p, w->pc, &insn);
        w->entry = 0;
        switch (insn.kind) {
        case INSN_BAD:
        case INSN_END:
            return 0;
        case INSN_ENTRY:
            if (!entry)
                return 0;
            break;
        case INSN_LEAP:
            /*
             * An indirect jump. If it goes to another function, the stack is as at a
             * return; but it may also stay in this function, so the rule is weak.
             */
            if (!s->until && !s->weak && arrive(s, w))
                s->weak = s->rule;
            if (!s->beyond)
                return 0;
            w->entry = 1;
            break;
        case INSN_RETURN:
        case INSN_LINK:
            return !s->until && arrive(s, w) && vote(s);
        case INSN_CALL:
            /*
             * If padding follows, end the path: the call may not return, and the
             * function end here.
             */
            if (!s->beyond && is_padding(p + insn.len))
                return 0;
            break;
        case INSN_JUMP:
            if (!is_new(s, (u64)insn.value))
                return 0;
            w->pc = (u64)insn.value;
            w->entry = 1;
            continue;
        case INSN_BRANCH:
            if (is_new(s, (u64)insn.value))
                keep(s, w, (u64)insn.value);
            break;
        default:
            apply(w, &insn, s->until != 0);
        }
        w->pc += insn.len;
    }
    return 0;
}

/* Follow all paths from `from` on. Returns the rule, or 0. */
static u64
search_paths(struct search *s, u64 from)
{
    s->rule = 0;
    s->limit = s->steps + MAX_STEPS;
    memset(s->votes, 0, sizeof(s->votes));
    s->seen = 0;
    s->ways = 1;
    s->way[0] = (struct way){ .pc = from, .entry = 1 };
    s->m->trusted++;
    while (s->ways > 0) {
        struct way w = s->way[--s->ways];

        if (follow(s, &w))
            break;
        s->rule = 0;
    }
    s->m->trusted--;
    return s->until ? s->rule : elected(s);
}

/* Follow all paths from a function's beginning to pc. Returns the rule, or 0. */
static u64
search_from(struct search *s, u64 from, u64 pc)
{
    s->until = pc;
    s->from = from;
    return search_paths(s, from);
}

/*
 * Direct calls that have left their return addresses on the stack say where the called
 * functions begin: try each as the beginning of the function at pc. Returns the rule,
 * or 0.
 */
static u64
search_called(struct search *s, u64 pc)
{
    u64 start, ra;

    for (u32 i = 0; i < GUESS_SCAN_WORDS && s->limit < ALL_STEPS; i++) {
        s->slot = s->sp + WORD * (u64)i;
        if (!mem_load(s->m, s->slot, &ra))
            return 0;
        if (ra >> REGS_PC_BITS || !ra || objtab_code(ra - 1) == CODE_NONE ||
            !guess_after_call(s->m, ra, &start) || !start || start > pc ||
            pc - start > REACH)
            continue;
        if (search_from(s, start, pc))
            return s->rule;
    }
    return 0;
}

/*
 * 1 if a function may begin at this address: endbr64 is there, or code ends before it.
 */
static int
is_beginning(struct mem *m, u64 at)
{
    static const unsigned char entry[] = { 0xf3, 0x0f, 0x1e, 0xfa };
    const unsigned char *p = (const unsigned char *)(uintptr_t)at;

    if (!mem_ok(m, at - 8, 16))
        return 0;
    if (p[-1] == 0xc3 || !memcmp(p, entry, sizeof(entry)))
        return 1;
    if (at % ALIGNED == 0)
        return p[-1] == 0x90 || p[-1] == 0xcc || p[-1] == 0;
    /* A function may also begin with a push that follows a call or a jump. */
    return (p[0] == 0x41 || (p[0] & 0xf8) == 0x50) && (p[-5] == 0xe8 || p[-5] == 0xe9);
}

/*
 * Try each address shortly before pc that looks like a function's beginning. That finds
 * functions which never return and are called through pointers. Returns the rule, or 0.
 */
static u64
search_before(struct search *s, u64 pc)
{
    s->slot = 0;
    for (u64 at = pc; pc - at < NEAR && s->limit < ALL_STEPS; at--)
        if (is_beginning(s->m, at) && search_from(s, at, pc))
            return s->rule;
    return 0;
}

/*
 * 1 if the function may end right before pc with a call that does not return, so that
 * the code from pc on belongs to something else.
 */
static int
may_be_behind_end(struct mem *m, u64 pc)
{
    const unsigned char *p = (const unsigned char *)(uintptr_t)pc;

    if (!mem_ok(m, pc, INSN_BYTES))
        return 1;
    return !(pc % ALIGNED) || p[0] == 0x90 || p[0] == 0xcc || is_padding(p);
}

static u64
search_behind(struct search *s, u64 pc)
{
    u64 rule;

    s->beyond = 1;
    s->m->trusted++;
    rule = search_called(s, pc);
    if (!rule)
        rule = search_before(s, pc);
    s->m->trusted--;
    return rule;
}

static u64
search_ahead(struct search *s, u64 pc)
{
    s->until = 0;
    return search_paths(s, pc);
}

u64
guess_ahead(struct mem *m, u32 exact, u64 pc, u64 sp, u64 bp)
{
    struct search s = { .m = m, .sp = sp, .bp = bp };
    u64 rule;

    if (!exact && may_be_behind_end(m, pc)) {
        rule = search_behind(&s, pc);
        return rule ? rule : search_ahead(&s, pc);
    }
    rule = search_ahead(&s, pc);
    if (!rule)
        rule = search_behind(&s, pc);
    if (!rule)
        rule = search_ahead(&s, pc);
    return rule ? rule : s.weak;
}
