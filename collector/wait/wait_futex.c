/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that wait for each other by system calls of their own: std::atomic, and
 * libraries with locks of their own. syscall() is a look and a jump: what it is used
 * for may return twice, or on another stack.
 */
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/hook/real.h"
#include "collector/wait/wait.h"

typedef long system_call(long number, ...);

static system_call *found;
void *wait_real_syscall(void) __attribute__((used, visibility("hidden")));
long wait_futex(long number, long a, long b, long c, long d, long e, long f)
    __attribute__((used, visibility("hidden")));

void *
wait_real_syscall(void)
{
    if (!found)
        found = (system_call *)dlsym(RTLD_NEXT, "syscall");
    return (void *)found;
}

static int
waits(long operation)
{
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_LOCK_PI:
        return 1;
    default:
        return 0;
    }
}

/* In the place of syscall() with this number. */
long
wait_futex(long number, long a, long b, long c, long d, long e, long f)
{
    system_call *next = (system_call *)wait_real_syscall();

    if (!waits(b))
        return next(number, a, b, c, d, e, f);
    return WAIT_IN(MSTATE_LOCK, next(number, a, b, c, d, e, f));
}

_Static_assert(SYS_futex == 202, "x86-64");
__asm__(".pushsection .text\n"
        ".globl syscall\n"
        ".type syscall, @function\n"
        "syscall:\n"
        ".cfi_startproc\n"
        "cmp $202, %edi\n je wait_futex\n"
        "push %rdi\n .cfi_adjust_cfa_offset 8\n"
        "push %rsi\n .cfi_adjust_cfa_offset 8\n"
        "push %rdx\n .cfi_adjust_cfa_offset 8\n"
        "push %rcx\n .cfi_adjust_cfa_offset 8\n"
        "push %r8\n .cfi_adjust_cfa_offset 8\n"
        "push %r9\n .cfi_adjust_cfa_offset 8\n"
        "sub $8, %rsp\n .cfi_adjust_cfa_offset 8\n"
        "call wait_real_syscall\n"
        "add $8, %rsp\n .cfi_adjust_cfa_offset -8\n"
        "pop %r9\n .cfi_adjust_cfa_offset -8\n"
        "pop %r8\n .cfi_adjust_cfa_offset -8\n"
        "pop %rcx\n .cfi_adjust_cfa_offset -8\n"
        "pop %rdx\n .cfi_adjust_cfa_offset -8\n"
        "pop %rsi\n .cfi_adjust_cfa_offset -8\n"
        "pop %rdi\n .cfi_adjust_cfa_offset -8\n"
        "jmp *%rax\n"
        ".cfi_endproc\n"
        ".size syscall, . - syscall\n"
        ".popsection\n");
