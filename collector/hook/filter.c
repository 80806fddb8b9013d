/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target with a seccomp filter is killed for system calls that the filter does not
 * allow, ours included. So the filter is evaluated before it is set (preload/limit.h).
 * If the target forbids reading the TSC, the collector changes to another clock before
 * (sig/clock.h). The hooks of prctl and syscall jump to the real function instead of
 * calling it, since some system calls return twice, or on another stack. For forks and
 * execs by syscall(), they jump to functions of raw.c.
 */
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include "collector/hook/raw.h"
#include "collector/hook/stub.h"
#include "collector/libc/real.h"
#include "collector/preload/limit.h"
#include "collector/sig/clock.h"

void *filter_on_syscall(long number, long a, long b, long c, long d)
    __attribute__((used));
void *filter_on_prctl(long option, long a, long b, long c) __attribute__((used));

/*
 * Handle a call of seccomp(2) that sets a filter or strict mode. Libraries also make
 * calls that can only fail, to test for kernel features: these are ignored.
 */
static void
on_seccomp(long operation, long flags, long filter)
{
    if (operation == SECCOMP_SET_MODE_STRICT && flags == 0)
        limit_by_filter(NULL);
    else if (operation == SECCOMP_SET_MODE_FILTER && filter != 0)
        limit_by_filter((const struct sock_fprog *)filter);
}

#ifndef PR_SET_SYSCALL_USER_DISPATCH /* of Linux 5.11 */
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

/* Called by the stubs; both return the address to which the stub jumps. */
void *
filter_on_prctl(long option, long a, long b, long c)
{
    if ((int)option == PR_SET_TSC && a == PR_TSC_SIGSEGV)
        limit_clock();
    else if ((int)option == PR_SET_SYSCALL_USER_DISPATCH && a == PR_SYS_DISPATCH_ON &&
             (b == 0 || (u64)b + (u64)c > (u64)b))
        limit_by_filter(NULL);
    else if ((int)option == PR_SET_SECCOMP)
        on_seccomp(a == SECCOMP_MODE_STRICT ? SECCOMP_SET_MODE_STRICT
                                      : SECCOMP_SET_MODE_FILTER,
                   0, b);
    return real_at((void **)(void *)&real.prctl);
}

void *
filter_on_syscall(long number, long a, long b, long c, long d)
{
    void *instead = raw_instead(number, a, b);

    if (instead)
        return instead;
    if (number == SYS_seccomp)
        on_seccomp(a, b, c);
    else if (number == SYS_prctl)
        filter_on_prctl(a, b, c, d);
    return real_at((void **)(void *)&real.syscall);
}

/*
 * Define a stub. `tests` selects the calls that are noted; all others jump to the real
 * function at once, if that is known.
 */
#define STUB(name, tests)                                                        \
    __asm__(STUB_BEGIN(#name) tests                                              \
            "mov filter_real_" #name "(%rip), %rax\n"                            \
            "mov (%rax), %rax\n"                                                 \
            "test %rax, %rax\n je 1f\n"                                          \
            "jmp *%rax\n"                                                        \
            "1:\n"                                                               \
            STUB_CHOOSE("filter_on_" #name)                                      \
            STUB_END(#name));                                                    \
    void *const filter_real_##name __attribute__((used)) = (void *)&real.name

#define IS(number) "cmp $" #number ", %edi\n je 1f\n"
#define IS_FROM_TO(first, last) \
    "lea -" #first "(%rdi), %eax\n cmp $" #last "-" #first ", %eax\n jbe 1f\n"

/*
 * The stub tests for these numbers: SYS_clone, fork, vfork, execve; prctl, seccomp,
 * execveat, clone3; then PR_SET_*.
 */
_Static_assert(SYS_clone == 56 && SYS_execve == 59, "x86-64");
_Static_assert(SYS_seccomp == 317 && SYS_prctl == 157, "x86-64");
_Static_assert(SYS_execveat == 322 && SYS_clone3 == 435, "x86-64");
_Static_assert(PR_SET_SECCOMP == 22 && PR_SET_TSC == 26, "sys/prctl.h");
_Static_assert(PR_SET_SYSCALL_USER_DISPATCH == 59, "linux/prctl.h");
STUB(syscall, IS_FROM_TO(56, 59) IS(157) IS(317) IS(322) IS(435));
STUB(prctl, IS(22) IS(26) IS(59));
