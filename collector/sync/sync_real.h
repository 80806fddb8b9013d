/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The real functions of the SYNC rows of libc.def. Any context. The first call of any
 * of them looks up all. The look-up may take locks itself (in an allocator of the
 * target); there is only one thread then, so these calls do nothing.
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
    /* Of the version GLIBC_2.2.5, or NULL. */
    int (*old_cond_wait)(pthread_cond_t *, pthread_mutex_t *);
    int (*old_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *,
                              const struct timespec *);
};

extern struct sync_real sync_real;

/* Look them all up, once. Keeps errno. */
void sync_real_start(void);

/*
 * May the hook try to acquire before it waits with this time limit? Not if the real
 * function would reject the limit as invalid before it looks at the lock.
 */
static inline int
sync_may_try(clockid_t clock, const struct timespec *until)
{
    __asm__("" : "+r"(until)); /* libc's headers promise that it is not NULL */
    return until && until->tv_nsec >= 0 && until->tv_nsec < 1000000000 &&
           (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC);
}

#define SYNC_REAL(name) \
    (ER_LIKELY(sync_real.name) ? sync_real.name : (sync_real_start(), sync_real.name))

#endif
