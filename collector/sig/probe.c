/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/probe.h"

#include "collector/sig/mem.h"
#include "collector/sig/regs.h"

enum {
    LONGEST = 15, /* bytes of an instruction */
    WORD = 8,
    SAVED = 3, /* words that the kernel's code for return probes has still to pop */
};

static int
is_after(u64 at, u64 pc)
{
    return at >= pc && at - pc <= LONGEST;
}

/*
 * The stack pointer before the instruction at pc; after it, the pc is `at`, and the
 * stack pointer is sp. If the word below sp is `at`, assume that the instruction was a
 * `ret` (nothing has overwritten that word); if the word at sp is an address right
 * after pc, a `call`, which pushes that; else a jump. With a return probe, execution is
 * still in the kernel's own code, and pc is the last of the words that this code has on
 * the stack.
 */
static u64
find_sp(u64 at, u64 sp, u64 pc)
{
    struct mem mem;
    u64 word;

    mem_init(&mem, 0, 0);
    if (mem_load(&mem, sp + (SAVED - 1) * WORD, &word) && word == pc)
        return sp + SAVED * WORD;
    if (mem_load(&mem, sp - WORD, &word) && word == at)
        return sp - WORD;
    if (mem_load(&mem, sp, &word) && is_after(word, pc))
        return sp + WORD;
    return sp;
}

int
probe_context(ucontext_t *out, const ucontext_t *uc, u64 pc)
{
    u64 at = (u64)uc->uc_mcontext.gregs[regs_context_index(REGS_RA)];
    u64 sp = (u64)uc->uc_mcontext.gregs[regs_context_index(REGS_SP)];

    if (!pc || is_after(at, pc))
        return 0;
    __builtin_memcpy(out, uc, sizeof(*out));
    out->uc_mcontext.gregs[regs_context_index(REGS_RA)] = (greg_t)pc;
    out->uc_mcontext.gregs[regs_context_index(REGS_SP)] = (greg_t)find_sp(at, sp, pc);
    return 1;
}
