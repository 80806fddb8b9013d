/* SPDX-License-Identifier: Apache-2.0 */
/* What threads wait for each other in; what is free is tried first, where one may. */
#include <sys/single_threaded.h>

#include "collector/hook/real.h"
#include "collector/sync/sync_real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

/* Bits of a mutex's kind, as glibc has them: robust, or changing priorities; shared. */
enum {
    NOT_TO_TRY = 16 | 32 | 64,
    SHARED = 128,
};

#define LOCK(call) WAIT_IN(MSTATE_LOCK, call)
#define EVENT(call) WAIT_IN(MSTATE_EVENT, call)

/* Where there is one thread nobody waits, and libc locks without atomic operations. */
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
pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    return LOCK(SYNC_REAL(pthread_mutex_timedlock)(m, until));
}

WRAPPER int
pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
                        const struct timespec *until)
{
    return LOCK(SYNC_REAL(pthread_mutex_clocklock)(m, clock, until));
}

WRAPPER int
pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    if (ER_LIKELY(!SYNC_REAL(pthread_rwlock_tryrdlock)(l)))
        return 0;
    return LOCK(SYNC_REAL(pthread_rwlock_rdlock)(l));
}

WRAPPER int
pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
    return LOCK(SYNC_REAL(pthread_rwlock_timedrdlock)(l, until));
}

WRAPPER int
pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
                           const struct timespec *until)
{
    return LOCK(SYNC_REAL(pthread_rwlock_clockrdlock)(l, clock, until));
}

WRAPPER int
pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    if (ER_LIKELY(!SYNC_REAL(pthread_rwlock_trywrlock)(l)))
        return 0;
    return LOCK(SYNC_REAL(pthread_rwlock_wrlock)(l));
}

WRAPPER int
pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
    return LOCK(SYNC_REAL(pthread_rwlock_timedwrlock)(l, until));
}

WRAPPER int
pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
                           const struct timespec *until)
{
    return LOCK(SYNC_REAL(pthread_rwlock_clockwrlock)(l, clock, until));
}

/* pthread_cond_wait and _timedwait, in libc's two versions: wait.map has them. */
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

WRAPPER int
pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                       const struct timespec *until)
{
    return EVENT(SYNC_REAL(pthread_cond_clockwait)(c, m, clock, until));
}

WRAPPER int
pthread_barrier_wait(pthread_barrier_t *b)
{
    return EVENT(SYNC_REAL(pthread_barrier_wait)(b));
}

WRAPPER int
pthread_join(pthread_t id, void **result)
{
    return EVENT(SYNC_REAL(pthread_join)(id, result));
}

WRAPPER int
pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until)
{
    return EVENT(SYNC_REAL(pthread_timedjoin_np)(id, result, until));
}

WRAPPER int
pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock,
                     const struct timespec *until)
{
    return EVENT(SYNC_REAL(pthread_clockjoin_np)(id, result, clock, until));
}

WRAPPER int
sem_wait(sem_t *s)
{
    return EVENT(SYNC_REAL(sem_wait)(s));
}

WRAPPER int
sem_timedwait(sem_t *restrict s, const struct timespec *restrict until)
{
    return EVENT(SYNC_REAL(sem_timedwait)(s, until));
}

WRAPPER int
sem_clockwait(sem_t *restrict s, clockid_t clock, const struct timespec *restrict until)
{
    return EVENT(SYNC_REAL(sem_clockwait)(s, clock, until));
}

WRAPPER int
mtx_lock(mtx_t *m)
{
    return LOCK(SYNC_REAL(mtx_lock)(m));
}

WRAPPER int
mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until)
{
    return LOCK(SYNC_REAL(mtx_timedlock)(m, until));
}

WRAPPER int
cnd_wait(cnd_t *c, mtx_t *m)
{
    return EVENT(SYNC_REAL(cnd_wait)(c, m));
}

WRAPPER int
cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m,
              const struct timespec *restrict until)
{
    return EVENT(SYNC_REAL(cnd_timedwait)(c, m, until));
}

WRAPPER int
thrd_join(thrd_t id, int *result)
{
    return EVENT(SYNC_REAL(thrd_join)(id, result));
}

WRAPPER int
semop(int id, struct sembuf *v, size_t count)
{
    return EVENT(WAIT_REAL(semop)(id, v, count));
}

WRAPPER int
semtimedop(int id, struct sembuf *v, size_t count, const struct timespec *timeout)
{
    return EVENT(WAIT_REAL(semtimedop)(id, v, count, timeout));
}

WRAPPER int
flock(int fd, int operation)
{
    return WAIT_IN(MSTATE_LOCK, WAIT_REAL(flock)(fd, operation));
}

WRAPPER int
lockf(int fd, int command, off_t size)
{
    return WAIT_IN(MSTATE_LOCK, WAIT_REAL(lockf)(fd, command, size));
}

WRAPPER int
lockf64(int fd, int command, off64_t size)
{
    return WAIT_IN(MSTATE_LOCK, WAIT_REAL(lockf64)(fd, command, size));
}
