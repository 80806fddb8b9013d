/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system call futex(), made by libc's syscall(): locks of Rust, std::atomic, absl,
 * folly and others wait by it. For a family that replaces syscall().
 */
#ifndef ERTOOLS_COLLECTOR_HOOK_FUTEX_H
#define ERTOOLS_COLLECTOR_HOOK_FUTEX_H

#include <linux/futex.h>
#include <sys/syscall.h>

#include "collector/hook/stub.h"

typedef long futex_call(long number, ...);

/*
 * futex_waits(), futex_wakes(): does a futex operation (the second argument; its flags
 * are ignored) wait, or wake?
 */
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
#define FUTEX_SYSCALL(hook, next)                  \
    __asm__(STUB_BEGIN("syscall")                  \
            "cmp $202, %edi\n je " #hook "\n"      \
            STUB_CHOOSE(#next)                     \
            STUB_END("syscall"))

#endif
