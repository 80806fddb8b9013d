/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of counters (source/counter.c). Handlers. */
#ifndef ERTOOLS_COLLECTOR_SIG_COUNTER_H
#define ERTOOLS_COLLECTOR_SIG_COUNTER_H

#include <signal.h>

#include "collector/sig/thread.h"
#include "share/types.h"

/* Which counter of thread t has signals that name this descriptor; -1 = none. */
static inline int
counter_of(const struct thread *t, int fd)
{
    for (u32 i = 0; i < t->counters; i++)
        if (t->counter[i].number == fd)
            return (int)i;
    return -1;
}

/* A hit of c at context. */
void sig_count(struct thread *t, struct thread_counter *c, const ucontext_t *uc);

/*
 * Take what the kernel has written about overflows since: their number, and in *addr,
 * if it is not NULL, the address of the last one's data. No page of records: 1.
 */
u64 counter_take(struct thread_counter *c, u64 *addr);

#endif
