/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for each other by system calls of their own: see hook/futex.h. */
#include <dlfcn.h>

#include "collector/hook/futex.h"
#include "collector/libc/real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

static futex_call *found;
long wait_futex(long number, long a, long b, long c, long d, long e, long f)
    __attribute__((used, visibility("hidden")));

void *
wait_real_syscall(void)
{
    if (!found)
        found = (futex_call *)dlsym(RTLD_NEXT, "syscall");
    return (void *)found;
}

/* Called instead of syscall(SYS_futex, ...). */
long
wait_futex(long number, long a, long b, long c, long d, long e, long f)
{
    futex_call *next = (futex_call *)wait_real_syscall();

    if (!futex_waits(b))
        return next(number, a, b, c, d, e, f);
    return WAIT_IN(MSTATE_LOCK, next(number, a, b, c, d, e, f));
}

FUTEX_SYSCALL(wait_futex, wait_real_syscall);
