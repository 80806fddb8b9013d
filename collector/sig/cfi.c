/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/cfi.h"

#include <errno.h>

#include "collector/sig/announced.h"
#include "collector/sig/cache_use.h"
#include "collector/sig/cfi_read.h"
#include "collector/sig/guess.h"
#include "collector/sig/hotspot.h"
#include "collector/sig/rule.h"

enum { CONTEXT_START_BYTES = 64 }; /* glibc's __start_context() is not longer */

/* What is known about a pc. */
struct place {
    struct objtab_object object;
    struct cfi_entry entry;
    struct cfi_row row;
    u32 flags; /* RULE_OURS, RULE_UNKNOWN */
    enum { PLACE_ROW, PLACE_SIGNAL, PLACE_ROOT, PLACE_NO_CFI, PLACE_NO_CODE } what;
};

/* 1 if no call instruction ends at pc; 0 also if that cannot be found out. */
static int
is_made(struct mem *m, const struct objtab_object *object, u64 pc)
{
    int made;

    if (pc - object->lo < 8)
        return 0;
    m->trusted++;
    made = mem_ok(m, pc - 8, 8) && !guess_after_call(m, pc, NULL);
    m->trusted--;
    return made;
}

/*
 * Find the entry for pc, and set *address to where its row is to be taken. For a return
 * address, this is in the call instruction before pc. If no call ends there, the return
 * address was made in another way: by makecontext() from a function's start, by libgcc
 * from an exception's handler; then *address is pc. 0, or an error of cfi_find().
 */
static int
find_entry(struct mem *m, struct place *place, u64 pc, u32 exact, u64 *address)
{
    struct cfi_entry before;
    int err;

    *address = pc;
    if (exact)
        return cfi_find(m, &place->object, pc, &place->entry);
    err = cfi_find(m, &place->object, pc - 1, &before);
    if (!err && !is_made(m, &place->object, pc)) {
        place->entry = before;
        *address = pc - 1;
        return 0;
    }
    if (!err && pc < before.end) {
        place->entry = before;
        return 0;
    }
    if (cfi_find(m, &place->object, pc, &place->entry)) {
        place->entry = before;
        *address = pc - 1;
        return err;
    }
    return err && place->entry.start != pc ? -ENOENT : 0;
}

static int
is_signal_frame(struct mem *m, const struct place *place, u64 pc)
{
    u64 start = place->entry.start;

    return place->entry.signal_frame && pc >= start &&
           (guess_is_sigreturn(m, pc) || guess_is_sigreturn(m, start) ||
            guess_is_sigreturn(m, start + 1));
}

/*
 * Correct the row for a function that has realigned its stack: gcc does not describe
 * that bp is restored before the last two instructions, so by its CFI, bp is still
 * saved where bp points.
 */
static void
correct_row(struct mem *m, struct place *place, u64 pc, u32 exact)
{
    struct cfi_row *row = &place->row;

    if (exact && row->how[REGS_BP] == HOW_EXPRESSION &&
        row->cfa_register != CFI_NO_REGISTER && row->cfa_register != REGS_BP &&
        guess_is_realigned_end(m, pc))
        row->how[REGS_BP] = HOW_SAME;
}

/*
 * Find out what the code at pc is, and read its row if it has one. announced: also use
 * CFI that the program has announced (announced.h), for code that has no object, or one
 * without CFI.
 */
static void
read_place(struct mem *m, u64 pc, u32 exact, u32 announced, struct place *place)
{
    int known = objtab_find(exact ? pc : pc - 1, &place->object), has_entries;
    u64 address, target;
    int err;

    if (!known)
        place->object = (struct objtab_object){ 0 };
    has_entries = announced || (known && place->object.hdr);
    place->flags = 0;
    if (!known || place->object.instance == 0)
        place->flags |= RULE_UNKNOWN;
    if (known && (place->object.flags & OBJTAB_OURS))
        place->flags |= RULE_OURS;
    err = has_entries ? find_entry(m, place, pc, exact, &address) : -ENOENT;
    m->trusted++;
    if (err)
        place->what = guess_is_sigreturn(m, pc) ? PLACE_SIGNAL : PLACE_NO_CFI;
    else if (is_signal_frame(m, place, pc))
        place->what = PLACE_SIGNAL;
    else if (cfi_run(m, &place->entry, address, &place->row))
        place->what = PLACE_NO_CFI;
    else if (place->row.how[REGS_RA] == HOW_UNDEFINED ||
             (place->entry.end - place->entry.start <= CONTEXT_START_BYTES &&
              guess_is_context_start(m, place->entry.start)))
        place->what = PLACE_ROOT;
    else
        place->what = PLACE_ROW;
    m->trusted--;
    if (place->what == PLACE_ROW)
        correct_row(m, place, pc, exact);
    if (place->what == PLACE_NO_CFI && !known && !exact &&
        !guess_after_call(m, pc, &target))
        place->what = PLACE_NO_CODE;
    else if (!known)
        objtab_refresh_wanted = 1;
}

/* 1 if the offset can be stored in a rule, which has 12 signed bits for offset / 8. */
static int
fits(int64_t offset)
{
    return (offset & 7) == 0 && offset >= -2048 * 8 && offset < 2047 * 8;
}

static int
fits_cfa(int64_t offset)
{
    return offset == (int32_t)offset;
}

/*
 * Match an expression that is *(register + offset) + addend: breg, deref, and
 * optionally plus_uconst. 0 with *reg, *offset and *addend set, else -EINVAL.
 */
static int
match_load(struct reader *r, u32 *reg, int64_t *offset, int64_t *addend)
{
    enum { BREG0 = 0x70, BREG15 = 0x7f, DEREF = 0x06, PLUS_UCONST = 0x23 };
    u32 op = read_u8(r);

    *reg = op - BREG0;
    *offset = read_sleb(r);
    *addend = 0;
    if (op < BREG0 || op > BREG15 || read_u8(r) != DEREF)
        return -EINVAL;
    if (reader_more(r)) {
        if (read_u8(r) != PLUS_UCONST)
            return -EINVAL;
        *addend = (int64_t)read_uleb(r);
    }
    return r->bad || r->p != r->end ? -EINVAL : 0;
}

/*
 * Match the expression that the linker gives to lazy procedure linkage stubs. A stub
 * has 16 bytes and pushes one word, which is on the stack from the stub's byte `least`
 * on. Returns least, or -1 if the expression is another one.
 */
static int
match_plt(struct reader *r)
{
    static const unsigned char head[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a };
    static const unsigned char tail[] = { 0x2a, 0x33, 0x24, 0x22 };
    u32 least, good = 1;

    for (u32 i = 0; i < sizeof(head); i++)
        good &= read_u8(r) == head[i];
    least = read_u8(r) - 0x30;
    for (u32 i = 0; i < sizeof(tail); i++)
        good &= read_u8(r) == tail[i];
    return good && !r->bad && r->p == r->end && least < 16 ? (int)least : -1;
}

/*
 * The rule's part for a CFA given by an expression; RULE_FULL if a rule cannot express
 * it.
 */
static u64
rule_of_cfa_expression(struct mem *m, const struct place *place, u64 pc)
{
    struct reader r;
    int64_t offset, addend;
    u64 p, end;
    u32 reg;
    int least;

    if (cfi_block(m, &place->entry, place->row.cfa_offset, &p, &end))
        return RULE_NO_CFI;
    r = reader_at(m, p, end);
    least = match_plt(&r);
    if (least >= 0)
        return rule_pack(RULE_SP, 0, 0, 0, (int)(pc & 15) >= least ? 16 : 8);
    r = reader_at(m, p, end);
    if (!match_load(&r, &reg, &offset, &addend) && fits(offset) && fits_cfa(addend) &&
        (reg == REGS_SP || reg == REGS_BP))
        return rule_pack(reg == REGS_SP ? RULE_SP_LOAD : RULE_BP_LOAD, 0,
                         (int)(offset / 8), 0, (int)addend);
    return RULE_FULL;
}

static u64
rule_of_cfa(struct mem *m, const struct place *place, u64 pc)
{
    int64_t offset = place->row.cfa_offset;
    u32 reg = place->row.cfa_register;

    if (reg == CFI_NO_REGISTER)
        return rule_of_cfa_expression(m, place, pc);
    if (!fits_cfa(offset))
        return RULE_FULL;
    if (reg == REGS_SP)
        return rule_pack(RULE_SP, 0, 0, 0, (int)offset);
    if (reg == REGS_BP)
        return rule_pack(RULE_BP, 0, 0, 0, (int)offset);
    return rule_pack(RULE_REG, 0, (int)reg, 0, (int)offset);
}

/* 1 if bp is saved at an offset from bp itself, as in realigned frames: breg6 n. */
static int
match_bp_at_bp(struct mem *m, const struct place *place, int64_t *offset)
{
    enum { BREG_BP = 0x76 };
    struct reader r;
    u64 p, end;

    if (cfi_block(m, &place->entry, place->row.value[REGS_BP], &p, &end))
        return 0;
    r = reader_at(m, p, end);
    if (read_u8(&r) != BREG_BP)
        return 0;
    *offset = read_sleb(&r);
    return !r.bad && r.p == r.end && fits(*offset);
}

/* The rule's part for bp; RULE_FULL if a rule cannot express it. */
static u64
rule_of_bp(struct mem *m, const struct place *place)
{
    int64_t offset = place->row.value[REGS_BP];

    switch (place->row.how[REGS_BP]) {
    case HOW_SAME:
    case HOW_UNDEFINED:
        return 0;
    case HOW_OFFSET:
        if (fits(offset))
            return rule_pack(0, RULE_BP_AT_CFA, 0, (int)offset, 0);
        return RULE_FULL;
    case HOW_EXPRESSION:
        if (match_bp_at_bp(m, place, &offset))
            return rule_pack(0, RULE_BP_AT_BP, 0, (int)offset, 0);
        return RULE_FULL;
    default:
        return RULE_FULL;
    }
}

/*
 * 1 if pc is in the last part of a function that transfers an exception to its handler
 * (__builtin_eh_return): only such functions save the registers REGS_TOLD_1 and
 * REGS_TOLD_2.
 */
static int
is_landing(struct mem *m, const struct cfi_row *row, u64 rule, u64 pc)
{
    return row->how[REGS_TOLD_1] == HOW_OFFSET && row->how[REGS_TOLD_2] == HOW_OFFSET &&
           rule == rule_pack(RULE_BP, RULE_BP_AT_CFA, 0, -16, 16) &&
           guess_is_landing(m, pc);
}

static u64
rule_of_row(struct mem *m, const struct place *place, u64 pc)
{
    const struct cfi_row *row = &place->row;
    u64 cfa, bp;

    if (row->how[REGS_RA] != HOW_OFFSET || row->value[REGS_RA] != -8 ||
        row->how[REGS_SP] != HOW_SAME)
        return RULE_FULL;
    cfa = rule_of_cfa(m, place, pc);
    bp = rule_of_bp(m, place);
    if (bp == RULE_FULL || cfa == RULE_FULL)
        return RULE_FULL;
    return is_landing(m, row, cfa | bp, pc) ? RULE_LANDING : cfa | bp;
}

static u64
rule_of_place(struct mem *m, struct place *place, u64 pc)
{
    u64 rule;

    switch (place->what) {
    case PLACE_ROW:
        m->trusted++;
        rule = rule_of_row(m, place, pc);
        m->trusted--;
        return rule;
    case PLACE_SIGNAL:
        return RULE_SIGNAL;
    case PLACE_ROOT:
        return RULE_ROOT;
    case PLACE_NO_CFI:
        return RULE_NO_CFI;
    default:
        return RULE_NO_CODE;
    }
}

u64
cfi_announced_rule(struct mem *m, u64 pc, u32 exact)
{
    struct place place;

    read_place(m, pc, exact, 1, &place);
    return rule_of_place(m, &place, pc) | place.flags;
}

u64
cfi_rule(struct mem *m, u64 pc, u32 exact)
{
    struct place place;
    u64 rule;

    if (hotspot_holds(exact ? pc : pc - 1))
        return RULE_HOTSPOT;
    read_place(m, pc, exact, 0, &place);
    rule = rule_of_place(m, &place, pc);
    cache_use_mark(place.flags & RULE_UNKNOWN ? 0 : place.object.instance, pc);
    return rule | place.flags;
}

int
cfi_signal_regs(struct mem *m, struct regs *regs)
{
    u64 base = regs->r[REGS_SP] + REGS_CONTEXT_OFFSET;
    struct regs next = { .known = REGS_ALL };

    for (u32 i = 0; i < REGS_COUNT; i++)
        if (!mem_load(m, base + 8 * regs_context_index(i), &next.r[i]))
            return -EFAULT;
    if (!mem_load(m, base + 8 * regs_context_index(REGS_RA), &next.pc))
        return -EFAULT;
    *regs = next;
    return 0;
}

static int
find_cfa(struct mem *m, const struct place *place, const struct regs *regs, u64 *cfa)
{
    u32 reg = place->row.cfa_register;
    u64 p, end;
    int err;

    if (reg != CFI_NO_REGISTER) {
        if (!(regs->known >> reg & 1))
            return -EINVAL;
        *cfa = regs->r[reg] + (u64)place->row.cfa_offset;
        return 0;
    }
    err = cfi_block(m, &place->entry, place->row.cfa_offset, &p, &end);
    return err ? err : cfi_expression(m, regs, p, end, NULL, cfa);
}

/* Find a column's value in the caller. 0; 1 = the value is not known; or an error. */
static int
find_column(struct mem *m, const struct place *place, const struct regs *regs, u64 cfa,
            u32 column, u64 *value)
{
    int64_t v = place->row.value[column];
    u64 p, end;
    int err;

    switch (place->row.how[column]) {
    case HOW_OFFSET:
        return mem_load(m, cfa + (u64)v, value) ? 0 : -EFAULT;
    case HOW_VAL_OFFSET:
        *value = cfa + (u64)v;
        return 0;
    case HOW_REGISTER:
        if (v >= REGS_COUNT || !(regs->known >> v & 1))
            return 1;
        *value = regs->r[v];
        return 0;
    case HOW_EXPRESSION:
    case HOW_VAL_EXPRESSION:
        err = cfi_block(m, &place->entry, v, &p, &end);
        if (!err)
            err = cfi_expression(m, regs, p, end, &cfa, value);
        if (!err && place->row.how[column] == HOW_EXPRESSION)
            return mem_load(m, *value, value) ? 0 : -EFAULT;
        return err;
    case HOW_SAME:
        if (column >= REGS_COUNT || !(regs->known >> column & 1))
            return 1;
        *value = regs->r[column];
        return 0;
    default:
        return 1;
    }
}

static int
step_row(struct mem *m, const struct place *place, struct regs *regs)
{
    struct regs next = { 0 };
    u64 cfa, value;
    int err = find_cfa(m, place, regs, &cfa);

    if (err)
        return err;
    for (u32 i = 0; i < REGS_COUNT; i++) {
        err = find_column(m, place, regs, cfa, i, &value);
        if (err < 0)
            return err;
        if (!err) {
            next.r[i] = value;
            next.known |= 1u << i;
        }
    }
    if (place->row.how[REGS_SP] == HOW_SAME) {
        next.r[REGS_SP] = cfa;
        next.known |= 1u << REGS_SP;
    }
    err = find_column(m, place, regs, cfa, REGS_RA, &next.pc);
    if (err)
        return err < 0 ? err : -EINVAL;
    *regs = next;
    return 0;
}

int
cfi_step(struct mem *m, struct regs *regs, u32 *exact)
{
    struct place place;
    int err;

    read_place(m, regs->pc, *exact, 1, &place);
    switch (place.what) {
    case PLACE_ROW:
    case PLACE_SIGNAL:
        err = place.what == PLACE_ROW ? step_row(m, &place, regs)
                                      : cfi_signal_regs(m, regs);
        if (!err)
            *exact = place.what == PLACE_SIGNAL;
        return err;
    case PLACE_ROOT:
        return -ENODATA;
    default:
        return -ENOENT;
    }
}
