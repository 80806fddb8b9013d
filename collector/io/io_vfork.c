/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfork(): until its child calls exec or ends, the child shares our memory, but not our
 * descriptors. vfork() returns twice on one stack, so our function cannot call the real
 * one: it counts the call in io_vforks, and jumps there. A thread that finds the count
 * changed asks the kernel once which process it is (io_is_here()).
 */
#include "collector/io/io_record.h"

u32 io_vforks __attribute__((used));

/* Called by the stubs while vfork()'s real address is not known yet; returns it. */
void *io_vfork_first(void) __attribute__((used));

void *
io_vfork_first(void)
{
    io_real_start();
    return (void *)io_real.vfork;
}

static pid_t (*const *const real_vfork)(void) __attribute__((used)) = &io_real.vfork;

#define STUB(name)                                 \
    __asm__(".pushsection .text\n"                 \
            ".globl " #name "\n"                   \
            ".type " #name ", @function\n" #name ":\n" \
            ".cfi_startproc\n"                     \
            "lock incl io_vforks(%rip)\n"          \
            "mov real_vfork(%rip), %rax\n"         \
            "mov (%rax), %rax\n"                   \
            "test %rax, %rax\n"                    \
            "jnz 1f\n"                             \
            "sub $8, %rsp\n"                       \
            ".cfi_adjust_cfa_offset 8\n"           \
            "call io_vfork_first\n"                \
            "add $8, %rsp\n"                       \
            ".cfi_adjust_cfa_offset -8\n"          \
            "1:\n"                                 \
            "jmp *%rax\n"                          \
            ".cfi_endproc\n"                       \
            ".size " #name ", . - " #name "\n"     \
            ".popsection\n")

STUB(vfork);
STUB(__vfork);
