/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real functions of the SYNC rows of libc.def. Any context. The first call of any
 * of them looks up all. The look-up itself may take locks, in an allocator of the
 * target: these calls of mutexes and read-write locks do nothing, and return 0. Calls
 * of other threads wait for the look-up.
 */
#ifndef ERTOOLS_COLLECTOR_SYNC_SYNC_REAL_H
#define ERTOOLS_COLLECTOR_SYNC_SYNC_REAL_H

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/file.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "share/types.h"

/* Declare each again: the compiler rejects a row that differs from libc's header. */
#define LIBC_FOR_SYNC
#define ROW(type, name, params, ...) type name params;
#include "collector/libc/libc.def"

struct sync_real {
#define LIBC_FOR_SYNC
#define ROW(type, name, params, ...) type(*name) params;
#include "collector/libc/libc.def"
    /* The functions of the version GLIBC_2.2.5; NULL = libc does not have it. */
    int (*old_cond_wait)(pthread_cond_t *, pthread_mutex_t *);
    int (*old_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *,
                              const struct timespec *);
};

extern struct sync_real sync_real;

/* Look them all up, once; return at once if that has begun. Keeps errno. */
void sync_real_start(void);

/* Does libc wait by this clock? If not, it refuses the call, even for a free lock. */
static inline int
sync_has_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

/*
 * May the hook try to acquire before it waits with this time limit? For functions that
 * reject an invalid limit before they look at the object: those of read-write locks and
 * semaphores. Those of mutexes do not read the limit of a wait that is not needed.
 */
static inline int
sync_may_try(clockid_t clock, const struct timespec *until)
{
    return sync_has_clock(clock) && until && until->tv_nsec >= 0 &&
           until->tv_nsec < 1000000000;
}

#define SYNC_REAL(name) \
    (ER_LIKELY(sync_real.name) ? sync_real.name : (sync_real_start(), sync_real.name))

#endif
