/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts as the kernel leaves them when a probed instruction is done. */
#include "collector/sig/probe.h"

#include <criterion/criterion.h>
#include <string.h>

#include "collector/sig/regs.h"

static u64 stack[8];
static ucontext_t uc, out;

static int
at(u64 now, const u64 *sp, u64 pc)
{
    memset(&out, 0, sizeof(out));
    uc.uc_mcontext.gregs[REG_RIP] = (greg_t)now;
    uc.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)sp;
    return probe_context(&out, &uc, pc);
}

static void
is(u64 pc, const u64 *sp)
{
    cr_assert_eq((u64)out.uc_mcontext.gregs[REG_RIP], pc);
    cr_assert_eq((u64)out.uc_mcontext.gregs[REG_RSP], (u64)(uintptr_t)sp);
}

Test(probe, behind_it_in_the_same_function)
{
    cr_assert_eq(at(0x1001, &stack[4], 0x1000), 0);
    cr_assert_eq(at(0x1000, &stack[4], 0x1000), 0);
    cr_assert_eq(at(0x5000, &stack[4], 0), 0, "nothing is known of it");
}

Test(probe, after_a_return)
{
    stack[3] = 0x5000;
    cr_assert_eq(at(0x5000, &stack[4], 0x1000), 1);
    is(0x1000, &stack[3]);
}

Test(probe, after_a_call)
{
    stack[3] = 0;
    stack[4] = 0x1005;
    cr_assert_eq(at(0x5000, &stack[4], 0x1000), 1);
    is(0x1000, &stack[5]);
}

Test(probe, after_a_jump)
{
    memset(stack, 0, sizeof(stack));
    cr_assert_eq(at(0x5000, &stack[4], 0x1000), 1);
    is(0x1000, &stack[4]);
}

/* In the kernel's own code, which has registers and the address still to pop. */
Test(probe, at_a_return)
{
    stack[6] = 0x1000;
    cr_assert_eq(at(0x7fff5000, &stack[4], 0x1000), 1);
    is(0x1000, &stack[7]);
}
