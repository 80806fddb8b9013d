/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of x86-64; collector/sig/regs.h includes it. Any context. */
#ifndef ERTOOLS_COLLECTOR_SIG_REGS_X86_64_H
#define ERTOOLS_COLLECTOR_SIG_REGS_X86_64_H

#include <stddef.h>
#include <ucontext.h>

#include "collector/sig/regs_values.h"
#include "share/types.h"

enum {
    REGS_RAX = 0,
    REGS_RDX = 1,
    REGS_RBX = 3,
    REGS_BP = 6,
    REGS_SP = 7,
    REGS_R13 = 13,
    REGS_R15 = 15,
    REGS_COUNT = 16,
    REGS_RA = 16, /* the column of the return address */
    REGS_ALL = 0xffff,
    /* rbx, rbp, rsp, r12 to r15: callee-saved */
    REGS_PRESERVED = 1 << 3 | 1 << 6 | 1 << 7 | 0xf000,

    /*
     * They say which handler an exception enters: only code that enters one saves them.
     */
    REGS_TOLD_1 = REGS_RAX,
    REGS_TOLD_2 = REGS_RDX,

    REGS_PC_BITS = 47, /* addresses of user space have no bit above */
    REGS_CONTEXT_OFFSET = 40, /* bytes, from the kernel's ucontext to its registers */
};

/* Index of DWARF register n among the saved registers of the kernel's ucontext. */
static inline u32
regs_context_index(u32 n)
{
    static const unsigned char index[REGS_COUNT + 1] = {
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
        REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
    };

    return index[n];
}

/* The registers that a signal interrupted. */
static inline void
regs_from_context(struct regs *regs, const ucontext_t *uc)
{
    for (u32 i = 0; i < REGS_COUNT; i++)
        regs->r[i] = (u64)uc->uc_mcontext.gregs[regs_context_index(i)];
    regs->pc = (u64)uc->uc_mcontext.gregs[REG_RIP];
    regs->known = REGS_ALL;
}

/*
 * Capture the registers of the function that this is inlined into; only the
 * callee-saved ones are known.
 */
static inline __attribute__((always_inline)) void
regs_capture(struct regs *regs)
{
    __asm__ volatile("leaq 0(%%rip), %%rax\n\t"
                     "movq %%rax, %c2(%1)\n\t"
                     "movq %%rbx, 24(%1)\n\t"
                     "movq %%rbp, 48(%1)\n\t"
                     "movq %%rsp, 56(%1)\n\t"
                     "movq %%r12, 96(%1)\n\t"
                     "movq %%r13, 104(%1)\n\t"
                     "movq %%r14, 112(%1)\n\t"
                     "movq %%r15, 120(%1)"
                     : "=m"(*regs)
                     : "r"(regs), "i"(offsetof(struct regs, pc))
                     : "rax");
    regs->known = REGS_PRESERVED;
}

#endif
