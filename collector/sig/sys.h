/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls without libc: no errno, no cancellation point, no lock. Any context.
 * Each returns what the kernel returns: a value, or -errno.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_SYS_H
#define ERTOOLS_COLLECTOR_SIG_SYS_H

#include <sys/syscall.h>

#include "share/types.h"

#if defined(__x86_64__)
#include "collector/sig/sys_x86_64.h"
#else
#error "collector/sig: system calls for this architecture are not written yet"
#endif

/* The address that mmap() or mremap() has returned; NULL if it was -errno. */
static inline void *
sys_address(long result)
{
    enum { MOST_ERRNO = 4095 };

    return result < 0 && result >= -MOST_ERRNO ? NULL : (void *)result;
}

/* Memory of the kernel's: len bytes, zeroed, private. NULL: there is none. */
static inline void *
sys_map(u64 len)
{
    enum { PROT_RW = 3, MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x4022 };

    return sys_address(sys_call6(SYS_mmap, 0, (long)len, PROT_RW,
                                 MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0));
}

static inline void
sys_unmap(void *at, u64 len)
{
    sys_call4(SYS_munmap, (long)(uintptr_t)at, (long)len, 0, 0);
}

/*
 * 1 if the 8 bytes at address can be read. Asks the kernel to read a signal mask there
 * with an operation that does not exist: it copies the mask before it says EINVAL, so
 * that EFAULT means unreadable; nothing is changed in either case.
 */
static inline int
sys_readable(u64 address)
{
    enum { NO_SUCH_OPERATION = -1, KERNEL_SIGSET_BYTES = 8, MINUS_EINVAL = -22 };

    return sys_call4(SYS_rt_sigprocmask, NO_SUCH_OPERATION, (long)address, 0,
                     KERNEL_SIGSET_BYTES) == MINUS_EINVAL;
}

#endif
