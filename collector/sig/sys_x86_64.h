/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system call instruction of x86-64. Include collector/sig/sys.h instead of this.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_SYS_X86_64_H
#define ERTOOLS_COLLECTOR_SIG_SYS_X86_64_H

#include "share/types.h"

/* The thread pointer, by an instruction that AT_HWCAP2 must offer: see hit.h. */
static inline u64
sys_thread_pointer(void)
{
    u64 pointer;

    __asm__ volatile("rdfsbase %0" : "=r"(pointer));
    return pointer;
}

static inline long
sys_call4(long number, long a, long b, long c, long d)
{
    register long r10 __asm__("r10") = d;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

static inline long
sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

#endif
