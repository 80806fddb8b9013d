/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/jumped.h"

#include "collector/sig/cfi.h"
#include "collector/sig/guess.h"
#include "collector/sig/regs.h"
#include "collector/sig/rule.h"

enum {
    WORDS = 128, /* stack words that are searched */
    WORD = 8,
    ALIGNED = 16,
};

/*
 * The rule for the code at an address, if the address is inside a function in assembly
 * whose frame is the same at its first byte as here; else 0. A function that a compiler
 * made has no frame yet at its first byte.
 */
static u64
frame_of(struct mem *m, u64 address)
{
    struct objtab_object object;
    struct cfi_entry entry;
    u64 rule;

    if (!objtab_find(address, &object) || cfi_find(m, &object, address, &entry) ||
        entry.start == address)
        return 0;
    rule = cfi_rule(m, address, 1);
    return rule_kind(rule) == RULE_SP && rule_cfa(rule) > WORD &&
                   rule == cfi_rule(m, entry.start, 1)
               ? rule : 0;
}

u64
jumped_rule(struct mem *m, u64 sp)
{
    for (u32 i = 0; i < WORDS; i++) {
        u64 distance = WORD * (u64)(i + 1), ra, target, rule;

        if (!mem_load(m, sp + distance - WORD, &ra))
            return 0;
        if (!ra || ra >> REGS_PC_BITS || objtab_code(ra - 1) != CODE_OBJECT ||
            !guess_after_call(m, ra, &target) || !target)
            continue;
        rule = frame_of(m, target);
        if (!rule || distance < (u64)rule_cfa(rule) ||
            (distance - (u64)rule_cfa(rule)) % ALIGNED)
            continue;
        return rule_pack(RULE_SP, rule_bp(rule), 0, (int)rule_bp_offset(rule),
                         (int)distance);
    }
    return 0;
}
