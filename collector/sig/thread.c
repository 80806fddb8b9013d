/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/thread.h"

#include "collector/sig/sys.h"

__thread struct thread *thread_self;
u32 thread_no_alt;
u32 thread_alt_shared;
u32 thread_reads_pointer;

/*
 * NULL if the thread pointer is not libc's, which points to itself: emulators, and
 * runtimes without libc, use other thread pointers.
 */
struct thread *
thread_in_handler(void)
{
    if (thread_reads_pointer) {
        u64 pointer = sys_thread_pointer();

        if (!pointer || *(const u64 *)(uintptr_t)pointer != pointer)
            return NULL;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return thread_self;
}
