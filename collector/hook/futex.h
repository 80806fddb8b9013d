/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system call futex(), made by libc's syscall(): locks of Rust, std::atomic, absl,
 * folly and others wait by it. For a family that replaces syscall().
 */
#ifndef ERTOOLS_COLLECTOR_HOOK_FUTEX_H
#define ERTOOLS_COLLECTOR_HOOK_FUTEX_H

#include <linux/futex.h>
#include <sys/syscall.h>

typedef long futex_call(long number, ...);

/* Kinds of futex operations (the second argument), without their flags. */
static inline int
futex_waits(long operation)
{
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
        return 1;
    default:
        return 0;
    }
}

static inline int
futex_wakes(long operation)
{
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_WAKE_OP:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_CMP_REQUEUE_PI:
    case FUTEX_UNLOCK_PI:
        return 1;
    default:
        return 0;
    }
}

_Static_assert(SYS_futex == 202, "x86-64");

/*
 * The body of a replaced syscall(). SYS_futex calls `hook` with the same arguments. For
 * any other number it calls `next`, which returns the real function, and jumps there: a
 * call would not do, since some system calls return twice, or on another stack.
 */
#define FUTEX_SYSCALL(hook, next)                           \
    __asm__(".pushsection .text\n"                          \
            ".globl syscall\n"                              \
            ".type syscall, @function\n"                    \
            "syscall:\n"                                    \
            ".cfi_startproc\n"                              \
            "cmp $202, %edi\n je " #hook "\n"               \
            "push %rdi\n .cfi_adjust_cfa_offset 8\n"        \
            "push %rsi\n .cfi_adjust_cfa_offset 8\n"        \
            "push %rdx\n .cfi_adjust_cfa_offset 8\n"        \
            "push %rcx\n .cfi_adjust_cfa_offset 8\n"        \
            "push %r8\n .cfi_adjust_cfa_offset 8\n"         \
            "push %r9\n .cfi_adjust_cfa_offset 8\n"         \
            "sub $8, %rsp\n .cfi_adjust_cfa_offset 8\n"     \
            "call " #next "\n"                              \
            "add $8, %rsp\n .cfi_adjust_cfa_offset -8\n"    \
            "pop %r9\n .cfi_adjust_cfa_offset -8\n"         \
            "pop %r8\n .cfi_adjust_cfa_offset -8\n"         \
            "pop %rcx\n .cfi_adjust_cfa_offset -8\n"        \
            "pop %rdx\n .cfi_adjust_cfa_offset -8\n"        \
            "pop %rsi\n .cfi_adjust_cfa_offset -8\n"        \
            "pop %rdi\n .cfi_adjust_cfa_offset -8\n"        \
            "jmp *%rax\n"                                   \
            ".cfi_endproc\n"                                \
            ".size syscall, . - syscall\n"                  \
            ".popsection\n")

#endif
