/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks, conditions and other objects that threads wait for. Where the real function
 * allows it, a hook first tries to acquire without waiting.
 */
#include <sys/single_threaded.h>

#include "collector/libc/real.h"
#include "collector/sync/sync_real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

/*
 * Bits of a mutex's kind, as in glibc: robust, priority-inheriting or
 * priority-protected mutexes must not be tried first; SHARED: between processes.
 */
enum {
    NOT_TO_TRY = 16 | 32 | 64,
    SHARED = 128,
};

#define LOCK(call) WAIT_IN(MSTATE_LOCK, call)
#define EVENT(call) WAIT_IN(MSTATE_EVENT, call)

/*
 * With one thread, the call goes to the real function: nobody waits, and libc locks
 * without atomic operations.
 */
WRAPPER int
pthread_mutex_lock(pthread_mutex_t *m)
{
    int kind = __atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED);

    if (__libc_single_threaded && !(kind & SHARED))
        return sync_real.pthread_mutex_lock(m);
    if (!(kind & NOT_TO_TRY) && ER_LIKELY(!sync_real.pthread_mutex_trylock(m)))
        return 0;
    return LOCK(SYNC_REAL(pthread_mutex_lock)(m));
}

WRAPPER int
pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    if (ER_LIKELY(!SYNC_REAL(pthread_rwlock_tryrdlock)(l)))
        return 0;
    return LOCK(SYNC_REAL(pthread_rwlock_rdlock)(l));
}

WRAPPER int
pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    if (ER_LIKELY(!SYNC_REAL(pthread_rwlock_trywrlock)(l)))
        return 0;
    return LOCK(SYNC_REAL(pthread_rwlock_wrlock)(l));
}

/*
 * The versions that libc has of pthread_cond_wait and pthread_cond_timedwait; wait.map
 * has them, too.
 */
#define OLD "@GLIBC_2.2.5"
#define NEW "@@GLIBC_2.3.2"

int wait_cond_wait(pthread_cond_t *c, pthread_mutex_t *m);
int wait_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                        const struct timespec *until);
int wait_cond_old_wait(pthread_cond_t *c, pthread_mutex_t *m);
int wait_cond_old_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                            const struct timespec *until);

WRAPPER_VERSION(wait_cond_wait, "pthread_cond_wait" NEW) int
wait_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    return EVENT(SYNC_REAL(pthread_cond_wait)(c, m));
}

WRAPPER_VERSION(wait_cond_timedwait, "pthread_cond_timedwait" NEW) int
wait_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    return EVENT(SYNC_REAL(pthread_cond_timedwait)(c, m, until));
}

WRAPPER_VERSION(wait_cond_old_wait, "pthread_cond_wait" OLD) int
wait_cond_old_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    return EVENT(SYNC_REAL(old_cond_wait)(c, m));
}

WRAPPER_VERSION(wait_cond_old_timedwait, "pthread_cond_timedwait" OLD) int
wait_cond_old_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                        const struct timespec *until)
{
    return EVENT(SYNC_REAL(old_cond_timedwait)(c, m, until));
}
